// Which slot of each tile holds what, step by step: D5 is defined (copied to) for iteration 5, U5 is
// read for it. The arrow keys choose a step.

function stepHead(step, index) {
  const groups = [step.commits ? `commits ${step.commits}` : "", step.waits ? `waits for ${step.waits}` : ""].filter(Boolean).join("; ");
  const head = button(step.name, { class: "link", "data-step": index, title: groups });
  head.addEventListener("click", () => select({ step: index }));
  return make("th", { class: index === selection.step ? "step" : "" }, head);
}

function slotRow(row) {
  const cells = (row.cells ?? []).map((cell, index) => make("td", { class: index === selection.step ? "step" : "" }, cell === "." ? "" : cell));
  return make("tr", { "data-buffer": row.buffer, style: hueOf(row.buffer) }, make("th", {}, bufferButton(row.buffer, `${row.name}[${row.slot}]`)), ...cells);
}

function stepText(loop) {
  const step = loop.steps?.[selection.step];
  if (!step) return make("p", { class: "quiet" }, "Left and right choose a step: what each slot holds then is said here.");
  const held = (loop.rows ?? []).map((row) => `${row.name}[${row.slot}]: ${row.cells[selection.step] === "." ? "nothing new" : row.cells[selection.step]}`);
  return make("p", {}, `step ${step.name}${step.waits ? `, waits for ${step.waits}` : ""}${step.commits ? `, commits ${step.commits}` : ""}: ${held.join("; ")}`);
}

function loopElement(loop) {
  if (loop.refusal) return make("p", { "data-stmt": loop.loop, "data-line": loop.sourceLine }, make("code", {}, loop.text), ` ${loop.refusal}`);
  const head = make("tr", {}, make("th", {}, "slot"), ...(loop.steps ?? []).map(stepHead));
  return make("div", {},
    make("p", { "data-stmt": loop.loop, "data-line": loop.sourceLine }, make("code", {}, loop.text)),
    make("div", { class: "scrolled" }, make("table", { class: "slots" }, make("thead", {}, head), make("tbody", {}, ...(loop.rows ?? []).map(slotRow)))),
    stepText(loop),
    table([["what it does", (one) => one.role], ["statement", (one) => make("code", {}, one.text)], ["", (one) => lineButton(one.sourceLine)]],
      loop.statements ?? [], (one) => ({ "data-stmt": one.stmt, "data-line": one.sourceLine })));
}

const RolesLegend = "[0] 1: phase 1 of mbarrier [0]; -: it passes at once; x: done; ?: not known; .: not done";

function roleRow(row) {
  return make("tr", { "data-stmt": row.stmt, "data-line": row.sourceLine },
    make("th", { class: "what" }, row.text), ...(row.cells ?? []).map((cell) => make("td", {}, cell)));
}

function roleElement(role) {
  const threads = role.threads ? `, ${role.threads} threads` : "";
  const registers = role.registers ? ` of ${role.registers} registers` : "";
  const head = ["an iteration", ...(role.columns ?? [])].map((one) => make("th", {}, one));
  return make("div", { class: "role" },
    make("p", { "data-stmt": role.loop, "data-line": role.sourceLine },
      `role ${role.role} of ${role.roleCount}${threads}${registers}: ${role.numStages} stages, ${role.trips} iterations`),
    make("div", { class: "scrolled" },
      make("table", { class: "slots" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...(role.rows ?? []).map(roleRow)))),
    role.refusal ? make("p", { class: "quiet" }, role.refusal) : "");
}

function handoverTable(handovers) {
  const end = (one) => make("span", {}, `role ${one.role} `, lineButton(one.sourceLine));
  return make("div", { class: "handovers" }, table([["mbarriers", (one) => one.mbarriers], ["who arrives", (one) => end(one.arrival)],
    ["bytes", (one) => (one.bytes ? grouped(one.bytes) : ""), true], ["who waits", (one) => end(one.wait)]], handovers));
}

// What is said of a loop in a role, its role says.
addTab("stages", "Stages", (pass) => {
  const view = viewOf("stages", pass);
  const roles = view?.roles ?? [];
  const loops = (view?.loops ?? []).filter((loop) => !roles.some((role) => role.loop === loop.loop));
  if (!loops.length && !roles.length) return null;
  return make("div", {}, roles.length ? make("p", { class: "quiet" }, RolesLegend) : "", ...roles.map(roleElement),
    view?.handovers?.length ? handoverTable(view.handovers) : "", ...loops.map(loopElement));
});

function stepStage(direction) {
  const loop = viewOf("stages", selection.pass)?.loops?.[0];
  if (!loop?.steps?.length) return;
  const next = (selection.step ?? (direction > 0 ? -1 : loop.steps.length)) + direction;
  select({ tab: "stages", step: Math.max(0, Math.min(next, loop.steps.length - 1)) });
}
