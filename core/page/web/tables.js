// What is told by tables: the peak, the buffers, the reasons of decisions, what the checks say.

function peakElement(peak) {
  const rows = peak.live ?? [];
  const byKey = (key) => views.buffers.findLast((buffer) => buffer.name === key.split("/").pop())?.id;
  const statement = (use) => (use ? make("span", { "data-line": use.sourceLine }, lineButton(use.sourceLine), " ", make("code", {}, use.source || use.statement)) : "");
  return make("div", {}, make("p", {}, `${grouped(peak.peakBytes)} bytes. ${peak.certificate ?? ""}`),
    table([["buffer", (one) => bufferButton(byKey(one.key ?? one.name), one.name)], ["bytes", (one) => grouped(one.sizeBytes), true],
      ["offset", (one) => grouped(one.offsetBytes ?? 0), true], ["defined", (one) => statement(one.definition)], ["last use", (one) => statement(one.lastUse)]], rows),
    make("ul", {}, ...(peak.changes ?? []).map((change) => make("li", {}, changeText(change)))));
}

function changeText(change) {
  return change.text ?? Object.entries(change).map(([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`).join(", ");
}

addTab("peak", "Peak", (pass) => {
  const functions = viewOf("peak", pass)?.functions ?? [];
  return functions.length ? make("div", {}, ...functions.map(peakElement)) : null;
});

function costWords(access) {
  const conflict = access.passes > access.leastPasses;
  return make("div", {}, bufferButton(access.buffer), ` ${access.isWrite ? "written" : "read"}, ${access.laneBytes ?? 0} bytes a lane, `,
    make("span", { class: conflict ? "bad" : "" }, access.passes ? `${access.passes} passes of least ${access.leastPasses}` : "passes not known"));
}

addTab("costs", "Costs", (pass) => {
  const rows = viewOf("costs", pass)?.rows ?? [];
  return rows.length ? table([["IR", (one) => one.irLine, true], ["CUDA", (one) => one.cudaLine, true], ["", (one) => lineButton(one.sourceLine)],
    ["registers", (one) => one.registers, true], ["shared memory", (one) => make("div", {}, ...(one.accesses ?? []).map(costWords))],
    ["statement", (one) => make("code", {}, one.text)]], rows, (one) => ({ "data-stmt": one.stmt, "data-line": one.sourceLine })) : null;
});

addTab("buffers", "Buffers", () => table(
  [["buffer", (one) => bufferButton(one.id)], ["type", (one) => one.type], ["memory", (one) => one.scope]], views.buffers));

addTab("remarks", "Remarks", () => (views.remarks?.remarks?.length ? table(
  [["pass", (one) => one.pass], ["", (one) => lineButton(one.sourceLine)], ["why", (one) => one.text]], views.remarks.remarks,
  (one) => ({ "data-stmt": one.stmt, "data-line": one.sourceLine })) : null));

const Questions = [["verified", "the IR is well-formed"], ["arenaSound", "no two buffers share bytes while both live"],
  ["hazardFree", "no access races or runs ahead of its copy"], ["withinCapacity", "shared memory fits the target"]];

addTab("findings", "Findings", () => {
  const { findings } = views;
  const answers = table([["check", ([, question]) => question],
    ["answer", ([name]) => make("span", { class: findings[name] === "no" ? "bad" : findings[name] === "yes" ? "good" : "" }, findings[name] ?? "")]], Questions);
  const open = (findings.notEstablished ?? []).map((one) => make("p", {}, typeof one === "string" ? one : one.text ?? JSON.stringify(one)));
  const rows = table([["severity", (one) => one.severity], ["", (one) => lineButton(one.sourceLine)], ["finding", (one) => `${one.text} [${one.id}]`]],
    findings.findings ?? [], (one) => ({ "data-line": one.sourceLine }));
  return make("div", {}, answers, ...open, findings.findings?.length ? rows : "");
});
