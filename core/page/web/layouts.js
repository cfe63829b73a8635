// Where the elements of the selected tile lie, a cell an element or a vector of them, and what each
// access of it costs the banks.

// A colour for "12" (a bank of 32) and for "t5r2" (a thread of a warp).
function cellHue(cell) {
  const number = Number(/\d+/.exec(cell)?.[0] ?? 0);
  return Math.round(((number % 32) * 360) / 32);
}

function gridOf(layout) {
  const head = make("tr", {}, make("th", {}, ""), ...layout.columns.map((column) => make("th", {}, column)));
  const rows = layout.rows.map((row) => make("tr", {}, make("th", {}, row.label),
    ...row.cells.map((cell) => make("td", { class: "cell", style: `--hue: ${cellHue(cell)}` }, cell))));
  return make("div", { class: "scrolled" }, make("table", { class: "grid" }, make("thead", {}, head), make("tbody", {}, ...rows)));
}

function accessesOf(layout) {
  const columns = [["access", (one) => (one.isWrite ? "writes" : "reads")], ["bytes a lane", (one) => one.laneBytes, true],
    ["passes", (one) => make("span", { class: one.passes > one.leastPasses ? "bad" : "good" }, one.passes), true],
    ["least", (one) => one.leastPasses, true], ["statement", (one) => make("code", {}, one.text)], ["", (one) => lineButton(one.sourceLine)]];
  return table(columns, layout.accesses, (one) => ({ "data-stmt": one.stmt, "data-line": one.sourceLine }));
}

function layoutElement(layout) {
  return make("div", {}, make("p", {}, bufferButton(layout.buffer), ` ${layout.type}, `, make("code", {}, layout.layout || "row-major"), `: ${layout.cells}${layout.isPart ? "; a part of it" : ""}`),
    gridOf(layout), layout.accesses?.length ? accessesOf(layout) : "");
}

addTab("layouts", "Layouts", (pass) => {
  const layouts = viewOf("layouts", pass)?.buffers ?? [];
  if (!layouts.length) return null;
  const chosen = layouts.find((layout) => layout.buffer === selection.buffer) ?? layouts[0];
  return make("div", {}, make("p", {}, ...layouts.flatMap((layout) => [bufferButton(layout.buffer), " "])), layoutElement(chosen));
});
