// The instances of a page of several: traces of a folder, or a kernel at the commits of a range. A row
// each with its arena, small; and what differs between the one that is shown and another.

const SmallPixels = 120; // of the width of an arena that takes all of the capacity

// An arena without names.
function smallArena(arena) {
  const points = Math.max(1, arena.points?.length ?? 0);
  const [scale, rowPixels] = [SmallPixels / Math.max(arena.capacityBytes, arena.peakBytes), 32 / points];
  const boxes = arena.buffers.flatMap(boxesOf).map((box) => drawn("rect", { x: box.begin * scale, y: box.live.begin * rowPixels,
    width: Math.max(1, box.bytes * scale), height: Math.max(1, (box.live.end - box.live.begin) * rowPixels) }));
  return drawn("svg", { class: "small", width: SmallPixels + 2, height: 34 }, drawn("rect", { class: "frame", width: SmallPixels, height: 32 }), ...boxes);
}

function lastArenas(instance) {
  return (page.instances[instance].views?.arena.at(-1).functions ?? []).filter((arena) => arena.buffers.length);
}

function instanceName(instance) {
  const { row } = page.instances[instance];
  return [row.trace, row.kernel].filter(Boolean).join(": ");
}

function instanceButton(instance) {
  return page.instances[instance].views ? button(instanceName(instance), { class: "link", "data-instance": instance }) : instanceName(instance);
}

function argumentsOf(instance) {
  return (page.instances[instance].row.arguments ?? "").split(", ");
}

// The arguments that not all instances have.
function ownArguments(instance) {
  const shown = page.instances.map((_, index) => index).filter((index) => page.instances[index].row.arguments);
  return argumentsOf(instance).filter((one) => !shown.every((other) => argumentsOf(other).includes(one))).join(", ");
}

function peakDelta(instance) {
  const before = beforeOf(instance);
  const delta = before === null ? 0 : page.instances[instance].row.peakBytes - page.instances[before].row.peakBytes;
  return delta ? `${delta > 0 ? "+" : "−"}${grouped(Math.abs(delta))}` : "";
}

function instancesTable() {
  const indices = page.instances.map((_, index) => index);
  const rowOf = (index) => page.instances[index].row;
  return table([["instance", instanceButton], ["arguments", ownArguments], ["target", (index) => rowOf(index).target],
    ["shared memory", (index) => make("span", {}, ...lastArenas(index).map(smallArena))],
    ["peak bytes", (index) => (page.instances[index].views ? grouped(rowOf(index).peakBytes) : ""), true], ["", peakDelta, true],
    ["sound", (index) => rowOf(index).sound ?? ""], ["", (index) => make("span", { class: "bad" }, rowOf(index).error ?? "")]],
  indices, (index) => ({ class: index === selection.instance ? "picked" : "" }));
}

// The last one before it that has the same kernel and target; null: there is none.
function beforeOf(instance) {
  const { row } = page.instances[instance];
  for (let index = instance - 1; index >= 0; --index) {
    const other = page.instances[index];
    if (other.views && other.row.kernel === row.kernel && other.row.target === row.target) return index;
  }
  return null;
}

function buffersOfArenas(instance) {
  return new Map(lastArenas(instance).flatMap((arena) => arena.buffers).map((buffer) => [buffer.name, buffer]));
}

function changed(before, after, of) {
  const [left, right] = [before ? of(before) : "", after ? of(after) : ""];
  return left === right ? left : make("span", {}, make("span", { class: "quiet" }, `${left} → `), make("b", {}, right || "gone"));
}

function compareContent() {
  const before = beforeOf(selection.instance);
  if (before === null) return null;
  const [left, right] = [buffersOfArenas(before), buffersOfArenas(selection.instance)];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  const cell = (of) => (name) => changed(left.get(name), right.get(name), of);
  return make("div", {}, make("p", {}, "with ", instanceButton(before), ": peak ", changed(page.instances[before].row, page.instances[selection.instance].row,
    (row) => `${grouped(row.peakBytes)} bytes`)),
  table([["buffer", (name) => (right.has(name) ? bufferButton(right.get(name).buffer, name) : name)], ["type", cell((one) => one.type)],
    ["bytes", cell((one) => grouped(one.sizeBytes)), true], ["offset", cell((one) => grouped(one.offsetBytes)), true],
    ["versions", cell((one) => `${one.versions ?? 1}`), true], ["live", cell((one) => (one.live ?? []).map((live) => `[${live.begin}, ${live.end})`).join(" "))]], names));
}

if (page.instances.length > 1) {
  addTab("compare", "Compare", compareContent);
  addTab("instances", "Instances", instancesTable);
}
