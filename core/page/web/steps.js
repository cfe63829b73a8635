// A run of a block on the CPU, step by step, as `tilescope exec --steps` records it: which statement
// wrote each byte of shared memory last. The slider and the arrow keys choose the step.

const MostBytesShown = 1 << 22;
const Hows = { read: "reads", write: "writes", copy: "copies to", arrival: "waits for" };

// {block, first} of each launch; steps count through all of them.
function launches() {
  let first = 0;
  return (views.execution?.blocks ?? []).map((block) => {
    const launch = { block, first };
    first += (block.steps ?? []).length;
    return launch;
  });
}

function stepCount() {
  return launches().reduce((sum, { block }) => sum + (block.steps ?? []).length, 0);
}

// {block, first, step} of a step of all launches; the last where none is chosen.
function executedStep() {
  const wanted = Math.min(selection.executed ?? Infinity, stepCount() - 1);
  const launch = launches().findLast(({ first, block }) => first <= wanted && (block.steps ?? []).length);
  return launch && { ...launch, step: wanted - launch.first };
}

function statementOf(block, step) {
  return block.statements[block.steps[step][0]];
}

function iterationOf(block, step) {
  return block.steps[step].slice(1, 1 + (statementOf(block, step).loops ?? []).length);
}

function touchesOf(block, step) {
  return block.steps[step].slice(1 + (statementOf(block, step).loops ?? []).length).map((index) => block.touches[index]);
}

function iterationText(loops, first, last = first) {
  return (loops ?? []).map((name, at) => `${name}=${first[at]}${first[at] === last[at] ? "" : `..${last[at]}`}`).join(", ");
}

function slotName(block, touch) {
  const buffer = block.buffers.find((one) => one.id === touch.buffer);
  return (buffer?.versions ?? 1) > 1 ? `${buffer.name}[${touch.slot ?? 0}]` : buffer?.name ?? "?";
}

// By byte: the step that wrote it (-1: none), through which touch of that step, and whether it is still in flight.
function heldAfter(block, last) {
  const held = { writer: new Int32Array(block.bytes).fill(-1), touch: new Uint8Array(block.bytes), inFlight: new Uint8Array(block.bytes) };
  for (let step = 0; step <= last; step++)
    touchesOf(block, step).forEach((touch, index) => {
      for (let at = 0; touch.kind !== "read" && at < touch.bytes.length; at += 2) {
        const [begin, end] = [touch.bytes[at], touch.bytes[at + 1]];
        if (touch.kind !== "arrival") {
          held.writer.fill(step, begin, end);
          held.touch.fill(index, begin, end);
        }
        held.inFlight.fill(touch.kind === "copy" ? 1 : 0, begin, end);
      }
    });
  return held;
}

// What one statement wrote in steps that differ in the innermost of its loops alone.
function writtenAfter(block, last) {
  const held = heldAfter(block, last);
  const rows = new Map();
  for (let begin = 0, end; begin < block.bytes; begin = end) {
    const [writer, index, inFlight] = [held.writer[begin], held.touch[begin], held.inFlight[begin]];
    for (end = begin + 1; end < block.bytes && held.writer[end] === writer && held.touch[end] === index && held.inFlight[end] === inFlight;) end++;
    if (writer < 0) continue;
    const touch = touchesOf(block, writer)[index];
    const key = [block.steps[writer][0], touch.buffer, touch.slot, inFlight, ...iterationOf(block, writer).slice(0, -1)].join();
    const row = rows.get(key) ?? { touch, inFlight, begin, bytes: 0, first: writer, last: writer, pieces: [] };
    rows.set(key, row);
    Object.assign(row, { end, bytes: row.bytes + end - begin, first: Math.min(row.first, writer), last: Math.max(row.last, writer) });
    row.pieces.push([begin, end]);
  }
  return [...rows.values()].sort((a, b) => a.begin - b.begin);
}

function executedBar(block, rows, step) {
  const scale = Math.max(200, place("tab").clientWidth - 20) / Math.max(block.bytes, 1);
  const piece = (className, [begin, end], attributes, title) => drawn("rect", { class: className, x: begin * scale, y: 2, height: 18,
    width: Math.max(1, (end - begin) * scale), ...attributes }, drawn("title", {}, title));
  const outlines = touchesOf(block, step).flatMap((touch) => touch.bytes.flatMap((begin, at) =>
    (at % 2 ? [] : [piece("touched", [begin, touch.bytes[at + 1]], {}, `${Hows[touch.kind]} ${slotName(block, touch)}`)])));
  return drawn("svg", { class: "executed", width: block.bytes * scale, height: 22, role: "img", "aria-label": "who wrote the bytes" },
    ...rows.flatMap((row) => row.pieces.map((span) => piece(row.inFlight ? "flight" : "live", span,
      { "data-buffer": row.touch.buffer, style: hueOf(row.touch.buffer) }, writerText(block, row)))), ...outlines);
}

function writerText(block, row) {
  const statement = statementOf(block, row.first);
  return `${slotName(block, row.touch)} written by ${statement.text}, ${iterationText(statement.loops, iterationOf(block, row.first), iterationOf(block, row.last))}`;
}

function stepElement({ block, first, step }) {
  const statement = statementOf(block, step);
  const iteration = iterationText(statement.loops, iterationOf(block, step));
  const slider = make("input", { type: "range", min: 0, max: stepCount() - 1, value: first + step, "aria-label": "step of the run", class: "scrubber" });
  slider.addEventListener("input", () => selectExecuted(Number(slider.value)));
  const rows = writtenAfter(block, step);
  const steps = (row) => `${grouped(first + row.first)}${row.first === row.last ? "" : ` to ${grouped(first + row.last)}`}`;
  const of = (row) => statementOf(block, row.first);
  return make("div", {}, slider,
    make("p", { class: "executed-step", "data-stmt": statement.stmt, "data-line": statement.span?.[0] },
      `step ${grouped(first + step)} of ${grouped(stepCount())}, block ${block.block} of ${block.function}${iteration ? `, ${iteration}` : ""}: `,
      make("code", {}, statement.text), " ", lineButton(statement.span?.[0])),
    ...touchesOf(block, step).map((touch) => make("p", {}, `${Hows[touch.kind]} `, bufferButton(touch.buffer, slotName(block, touch)))),
    executedBar(block, rows, step),
    table([["bytes", (row) => `[${grouped(row.begin)}, ${grouped(row.end)})`], ["written", (row) => bufferButton(row.touch.buffer, slotName(block, row.touch))],
      ["", (row) => (row.inFlight ? "in flight" : "")], ["size", (row) => grouped(row.bytes), true], ["steps", steps, true],
      ["iteration", (row) => iterationText(of(row).loops, iterationOf(block, row.first), iterationOf(block, row.last))],
      ["by", (row) => make("code", {}, of(row).text)], ["", (row) => lineButton(of(row).span?.[0])]],
      rows, (row) => ({ "data-stmt": of(row).stmt, "data-line": of(row).span?.[0] })),
    block.isCut ? make("p", { class: "quiet" }, "The block went on; no more is recorded.") : "");
}

addTab("steps", "Steps", () => {
  if (!views.execution) return make("p", { class: "quiet" }, "No run is recorded: 'tilescope exec KERNEL --trace FILE --steps BLOCK' does.");
  const at = executedStep();
  if (!at) return make("p", { class: "quiet" }, "The block touches no shared memory.");
  return at.block.bytes > MostBytesShown ? make("p", { class: "quiet" }, "Too much memory to be shown here.") : stepElement(at);
});

// With the statement that is done, in every panel.
function selectExecuted(executed) {
  selection.executed = Math.max(0, Math.min(executed, stepCount() - 1));
  const { block, step } = executedStep();
  const statement = statementOf(block, step);
  select({ tab: "steps", stmt: statement.stmt, line: statement.span?.[0] ?? null });
}

function stepExecuted(direction) {
  const count = stepCount();
  if (count) selectExecuted((selection.executed ?? (direction > 0 ? -1 : count)) + direction);
}
