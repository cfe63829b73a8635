// Shared memory: bytes across, program points down; a box is a version of a buffer while it lives.
// The point that is selected is a band across it; the slider and the arrow keys move it.

const RowPixels = 16;

function boxesOf(buffer) {
  const versions = Array.from({ length: buffer.versions ?? 1 }, (_, version) => version);
  const bytes = buffer.sizeBytes / versions.length;
  return versions.flatMap((version) => (buffer.live ?? []).map((live) => ({
    buffer, live, bytes, begin: buffer.offsetBytes + version * (buffer.strideBytes ?? 0), name: versions.length > 1 ? `${buffer.name}[${version}]` : buffer.name })));
}

function boxElement(box, scale) {
  const [x, y] = [box.begin * scale, box.live.begin * RowPixels];
  const [width, height] = [box.bytes * scale, (box.live.end - box.live.begin) * RowPixels];
  const fits = width > 7 * box.name.length;
  return drawn("g", { class: "box", "data-buffer": box.buffer.buffer, style: hueOf(box.buffer.buffer) },
    drawn("title", {}, `${box.name}: bytes [${box.begin}, ${box.begin + box.bytes}), points [${box.live.begin}, ${box.live.end}). ${box.buffer.reason ?? ""}`),
    drawn("rect", { x, y, width, height: Math.max(1, height - 1) }),
    fits ? drawn("text", { x: x + 4, y: y + 12 }, box.name) : "");
}

function liveAt(arena, point) {
  return arena.buffers.filter((buffer) => (buffer.live ?? []).some((live) => live.begin <= point && point < live.end));
}

function pointText(arena, point) {
  const live = liveAt(arena, point);
  const bytes = live.reduce((sum, buffer) => sum + buffer.sizeBytes, 0);
  const at = arena.points?.[point];
  return make("p", { class: "point" }, `point ${point}${point === arena.peakPoint ? ", the peak" : ""}: ${kibibytes(bytes)} live: `,
    ...live.flatMap((buffer) => [bufferButton(buffer.buffer), " "]),
    at ? make("code", { "data-stmt": at.stmt, "data-line": at.sourceLine }, at.text) : "");
}

function arenaPicture(arena) {
  const points = Math.max(1, arena.points?.length ?? 0, ...arena.buffers.flatMap((buffer) => (buffer.live ?? []).map((live) => live.end)));
  const width = Math.max(200, place("arena").clientWidth - 20); // pixels, of the peak
  const scale = width / Math.max(arena.peakBytes, 1);
  const bands = Array.from({ length: points }, (_, point) =>
    drawn("rect", { class: "band", "data-point": point, x: 0, y: point * RowPixels, width, height: RowPixels }));
  return drawn("svg", { class: "arena", width, height: points * RowPixels, role: "img", "aria-label": "shared memory over the program" },
    ...bands, ...arena.buffers.flatMap(boxesOf).map((box) => boxElement(box, scale)));
}

function arenaFunction(arena) {
  const last = Math.max(0, (arena.points?.length ?? 1) - 1);
  const point = Math.min(selection.point ?? arena.peakPoint ?? 0, last);
  const slider = make("input", { type: "range", min: 0, max: last, value: point, "aria-label": "program point", class: "scrubber" });
  slider.addEventListener("input", () => selectPoint(Number(slider.value)));
  const occupancy = arena.occupancy ? `, ${arena.occupancy.blocks} ${arena.occupancy.blocks === 1 ? "block" : "blocks"} per SM` : "";
  return [make("p", {}, `${grouped(arena.peakBytes)} of ${grouped(arena.capacityBytes)} bytes${occupancy}${arena.preview ? ", a preview" : ""}. `,
    make("span", { class: "quiet" }, arena.certificate ?? "")),
  ...(arena.conflicts ?? []).map((conflict) => make("p", { class: "bad" },
    `${nameOfBuffer(conflict.first)} and ${nameOfBuffer(conflict.second)} both hold bytes [${conflict.beginBytes}, ${conflict.endBytes})`)),
  slider, pointText(arena, point), make("div", { class: "scrolled" }, arenaPicture(arena))];
}

function arenas(pass) {
  const view = viewOf("arena", pass);
  return view.functions.filter((arena) => arena.buffers.length);
}

addText("arena", (pass) => {
  const drawnArenas = arenas(pass).flatMap((arena) => arenaFunction(arena));
  return [make("h2", {}, "Shared memory"), ...(drawnArenas.length ? drawnArenas : [make("p", { class: "quiet" }, "There is none after this pass.")])];
});

// The point and what stands there, in every panel.
function selectPoint(point) {
  const arena = arenas(selection.pass)[0];
  if (!arena?.points?.length) return;
  const chosen = Math.max(0, Math.min(point, arena.points.length - 1));
  const at = arena.points[chosen];
  selection.point = chosen;
  drawPanel("arena");
  select({ stmt: at.stmt ?? null, line: at.sourceLine ?? null });
}

function stepPoint(direction) {
  const arena = arenas(selection.pass)[0];
  if (arena) selectPoint((selection.point ?? arena.peakPoint ?? 0) + direction);
}
