"use strict";

// What stands at several places is written once: {"$": 3} is part 3 (core/page/shared_json.h).
function readData() {
  const written = JSON.parse(document.getElementById("data").textContent);
  const parts = [];
  const whole = (value) => {
    if (value === null || typeof value !== "object") return value;
    if ("$" in value) return parts[value.$];
    if (Array.isArray(value)) return value.map(whole);
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, whole(part)]));
  };
  for (const part of written.parts) parts.push(whole(part));
  return whole(written.root);
}

// {title, leftOut, instances: [{row, views}]}; one without passes has no views.
const page = readData();

// A page is read elsewhere: of a path the file is told, and all of it where the pointer is.
function fileOf(path) {
  return path.replace(/^.*\//, "");
}

// Of the instance that is shown: its views as `tilescope show VIEW --format json` prints them; those
// of passes are arrays.
let views = {};
let passes = [];
let buffersById = new Map();

function openViews(instance) {
  views = page.instances[instance].views;
  passes = views.passes.passes;
  buffersById = new Map(views.buffers.map((buffer) => [buffer.id, buffer]));
}

// A view after a pass; null: it is left out of this page.
function viewOf(name, pass) {
  return views[name] ? views[name][pass] : null;
}
