// The texts: the IR after a pass with what the pass took away, the CUDA, the kernel file.

function pieceElement({ text, spans }) {
  const name = spans.find((span) => span.buffer !== undefined);
  const isChanged = spans.some((span) => span.buffer === undefined);
  if (name) return make("span", { class: isChanged ? "buffer word" : "buffer", "data-buffer": name.buffer, style: hueOf(name.buffer) }, text);
  return isChanged ? make("span", { class: "word" }, text) : text;
}

// `words`: what changed in it. Keys that are missing are empty (docs/json.md).
function textLine(line, number, className = "", words = []) {
  return make("div", { class: className, "data-stmt": line.stmt, "data-line": line.sourceLine },
    make("i", { "data-number": number }), ...piecesOf(line.text ?? "", [...(line.names ?? []), ...words]).map(pieceElement), "\n");
}

// Rows of the view `changes` in the order of the text: what is not in them is the same.
function alignedLines(ir, changes) {
  const rows = [];
  let after = 0;
  const sameUpTo = (line) => {
    for (; after < line; ++after) rows.push({ kind: "same", after });
  };
  let before = 0; // lines before that are behind us
  for (const row of changes?.rows ?? []) {
    const gap = row.lineBefore !== undefined ? row.lineBefore - 1 - before : row.lineAfter - 1 - after;
    before += gap;
    sameUpTo(after + gap);
    rows.push({ ...row, after: row.lineAfter !== undefined ? after++ : null });
    before += row.lineBefore !== undefined;
  }
  sameUpTo(ir.lines.length);
  return rows;
}

function changedLines(ir, row) {
  if (row.kind === "same") return [textLine(ir.lines[row.after], row.after + 1)];
  const lines = [];
  if (row.before !== undefined) lines.push(textLine({ text: row.before }, "", "removed change", row.words?.before));
  if (row.after !== null) lines.push(textLine(ir.lines[row.after], row.after + 1, "added change", row.words?.after));
  return lines;
}

function irContent(pass) {
  const ir = viewOf("ir", pass);
  const rows = pass === 0 ? ir.lines.map((_, after) => ({ kind: "same", after })) : alignedLines(ir, viewOf("changes", pass));
  const count = rows.filter((row) => row.kind !== "same").length;
  const note = pass === 0 ? "" : count ? `${count} ${count === 1 ? "line" : "lines"} changed; d and D go through them` : "the text is the same";
  return [make("h2", {}, `IR after ${ir.pass} `, make("span", { class: "quiet" }, note)),
    make("pre", {}, ...rows.flatMap((row) => changedLines(ir, row)))];
}

addText("ir", irContent);

addTextOfAll("cuda", () => [make("h2", {}, "CUDA"), views.cuda.missing
  ? make("p", { class: "quiet" }, `There is none: ${views.cuda.missing}`)
  : make("pre", {}, ...views.cuda.lines.map((line, index) => textLine(line, index + 1)))]);

addTextOfAll("source", () => [make("h2", { title: views.source.file }, fileOf(views.source.file) || "Kernel file"),
  make("pre", {}, ...views.source.lines.map((line, index) =>
    textLine({ ...line, sourceLine: index + 1 }, index + 1)))]);

// The next changed line of the IR, or the one before; changes that touch are one.
function stepChange(direction) {
  const text = place("ir").querySelector("pre");
  const starts = [...text.querySelectorAll(".change")].filter((line) => !line.previousElementSibling?.classList.contains("change"));
  if (!starts.length) return;
  const at = starts.findIndex((line) => line.classList.contains("current"));
  const next = at < 0 ? (direction > 0 ? 0 : starts.length - 1) : (at + direction + starts.length) % starts.length;
  starts[at]?.classList.remove("current");
  starts[next].classList.add("current");
  text.scrollTop = starts[next].offsetTop - text.offsetTop - text.clientHeight / 3;
}
