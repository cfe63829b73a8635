// A lane a shared buffer: where it lives, is written (filled), read (ring), copied to in flight (pale).

const LanePixels = 150;

function laneElement(lane, index) {
  const x = index * LanePixels;
  const bar = (span, className, width) => drawn("rect", { class: className, x: x + 8, y: span.begin * RowPixels, width,
    height: Math.max(2, (span.end - span.begin) * RowPixels - 1) });
  const dot = (point, className) => drawn("circle", { class: className, cx: x + 15, cy: (point + 0.5) * RowPixels, r: 4 });
  const first = Math.min(...(lane.live ?? []).map((live) => live.begin), 0);
  return drawn("g", { "data-buffer": lane.buffer, style: hueOf(lane.buffer) },
    drawn("title", {}, `${lane.name} ${lane.type}`),
    ...(lane.inFlight ?? []).map((span) => bar(span, "flight", 22)), ...(lane.live ?? []).map((span) => bar(span, "live", 14)),
    ...(lane.uses ?? []).map((point) => dot(point, "use")), ...(lane.defs ?? []).map((point) => dot(point, "def")),
    drawn("text", { x: x + 34, y: Math.max(first * RowPixels, 0) + 12 }, lane.name));
}

function lifetimesPicture(view) {
  const height = Math.max(1, view.points.length) * RowPixels;
  const width = Math.max(1, view.lanes.length) * LanePixels;
  const bands = view.points.map((point, index) => drawn("rect", { class: "band", "data-point": index, x: 0, y: index * RowPixels, width, height: RowPixels },
    drawn("title", {}, point.text)));
  return drawn("svg", { class: "lifetimes", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "lifetimes" },
    ...bands, ...view.lanes.map(laneElement));
}

addTab("lifetimes", "Lifetimes", (pass) => {
  const functions = (viewOf("lifetimes", pass)?.functions ?? []).filter((one) => one.lanes?.length);
  return functions.length ? make("div", { class: "scrolled" }, ...functions.map(lifetimesPicture)) : null;
});
