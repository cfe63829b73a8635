// The passes, with what each changed; those that changed nothing are quiet.

function verdictMarks(verdicts) {
  return Object.entries(verdicts ?? {}).filter(([, verdict]) => verdict === "no").map(([name]) => name).join(", ");
}

function deltaOf(pass) {
  const { sharedDeltaBytes: delta } = pass;
  return delta ? `${delta > 0 ? "+" : "−"}${kibibytes(Math.abs(delta))}` : "";
}

function passRow(pass) {
  const lines = [pass.linesAdded ? `+${pass.linesAdded}` : "", pass.linesRemoved ? `−${pass.linesRemoved}` : ""].filter(Boolean).join(" ");
  const bad = pass.failed ? "failed" : verdictMarks(pass.verdicts);
  const row = button("", { class: pass.changed ? "pass" : "pass quiet", "data-pass": pass.index,
    "aria-current": pass.index === selection.pass ? "true" : "" });
  row.append(make("span", {}, `${pass.index} ${pass.name}`), make("span", { class: "quiet" }, lines),
    make("span", { class: "delta" }, deltaOf(pass)), make("span", { class: "bad" }, bad));
  row.addEventListener("click", () => select({ pass: pass.index }));
  return row;
}

addText("passes", () => [make("h2", {}, "Passes"), make("div", { class: "scrolled" }, ...passes.map(passRow))]);
