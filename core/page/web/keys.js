// Every key of the page: [keys, what it does, how].

function stepPass(direction, isWanted = () => true) {
  for (let pass = selection.pass + direction; passes[pass]; pass += direction)
    if (isWanted(passes[pass])) return select({ pass });
}

function stepBuffer(direction) {
  const known = arenas(selection.pass).flatMap((arena) => arena.buffers.map((buffer) => buffer.buffer));
  const ids = known.length ? known : views.buffers.map((buffer) => buffer.id);
  const at = ids.indexOf(selection.buffer);
  select({ buffer: ids[at < 0 ? 0 : (at + direction + ids.length) % ids.length] });
}

function stepInstance(direction) {
  for (let instance = selection.instance + direction; page.instances[instance]; instance += direction)
    if (page.instances[instance].views) return showInstance(instance);
}

function selectTab(index) {
  if (tabs[index]) select({ tab: tabs[index].name });
}

function showKeys() {
  const open = document.querySelector("dialog");
  if (open) return open.remove();
  const dialog = make("dialog", { open: "", "aria-label": "Keys" }, table([["key", ([keys]) => keys.join(", ")], ["what it does", ([, help]) => help]], Keys),
    make("p", {}, "As a command: ", make("code", {}, commandLine())));
  document.body.append(dialog);
}

function leave() {
  const dialog = document.querySelector("dialog");
  if (dialog) return dialog.remove();
  select(Nothing);
}

const Keys = [
  [["j"], "next pass", () => stepPass(1)],
  [["k"], "pass before", () => stepPass(-1)],
  [["n"], "next pass that changed something", () => stepPass(1, (pass) => pass.changed)],
  [["p"], "the one before", () => stepPass(-1, (pass) => pass.changed)],
  [["d"], "next change of the IR", () => stepChange(1)],
  [["D"], "change before", () => stepChange(-1)],
  [["b"], "next buffer", () => stepBuffer(1)],
  [["B"], "buffer before", () => stepBuffer(-1)],
  [["ArrowDown"], "next program point", () => stepPoint(1)],
  [["ArrowUp"], "point before", () => stepPoint(-1)],
  [["ArrowRight"], "next step of the pipeline, or of the run", () => (selection.tab === "steps" ? stepExecuted(1) : stepStage(1))],
  [["ArrowLeft"], "step before", () => (selection.tab === "steps" ? stepExecuted(-1) : stepStage(-1))],
  [["]"], "next instance", () => stepInstance(1)],
  [["["], "instance before", () => stepInstance(-1)],
  [["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"], "a tab; 0 is the tenth", (key) => selectTab(key === "0" ? 9 : key - 1)],
  [["Escape"], "select nothing", leave],
  [["?"], "these keys", showKeys],
];

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const key = Keys.find(([keys]) => keys.includes(event.key));
  if (!key) return;
  event.preventDefault();
  key[2](event.key);
});
