// The one selection. Elements say what they stand for with data-buffer, data-stmt, data-line (of the
// kernel file) and data-point (of the program); those that stand for what is selected have the class
// "picked", for what is under the mouse "hinted".

const Kinds = ["buffer", "stmt", "line", "point"];

const selection = { instance: 0, pass: 0, buffer: null, stmt: null, line: null, point: null, step: null, executed: null, tab: "stages" };
const Nothing = { buffer: null, stmt: null, line: null, point: null, step: null, executed: null };

function valueOf(element, kind) {
  const value = element.getAttribute(`data-${kind}`);
  return value === null ? null : Number(value);
}

function mark(root, className, chosen) {
  for (const element of root.querySelectorAll(`.${className}`)) element.classList.remove(className);
  for (const kind of Kinds) {
    if (chosen[kind] === null || chosen[kind] === undefined) continue;
    for (const element of root.querySelectorAll(`[data-${kind}="${chosen[kind]}"]`)) element.classList.add(className);
  }
}

// The first picked line of each scrolled text, if it is out of sight.
function revealPicked() {
  for (const text of document.querySelectorAll("pre")) {
    const line = text.querySelector(":scope > .picked") ?? text.querySelector(":scope > :has(.picked)");
    if (!line) continue;
    const [place, frame] = [line.getBoundingClientRect(), text.getBoundingClientRect()];
    if (place.top < frame.top || place.bottom > frame.bottom)
      text.scrollTop += place.top - frame.top - text.clientHeight / 3;
  }
}

// What is before the kernel is the same for every kernel.
function revealKernel() {
  const [text, line] = [document.querySelector("[data-panel=cuda] pre"), document.querySelector("[data-panel=cuda] pre > [data-stmt]")];
  if (line) text.scrollTop = line.offsetTop - text.offsetTop;
}

function markSelection() {
  mark(document, "picked", selection);
  for (const tab of document.querySelectorAll("[data-tab]"))
    tab.setAttribute("aria-selected", tab.dataset.tab === selection.tab);
}

// As --pass calls them: "simplify#2" is the second.
function passNames() {
  return views.ir.map((state) => state.pass);
}

function writeAddress() {
  const words = [`pass=${passNames()[selection.pass]}`];
  if (selection.instance) words.unshift(`instance=${selection.instance}`);
  if (selection.buffer !== null) words.push(`buffer=${encodeURIComponent(nameOfBuffer(selection.buffer))}`);
  if (selection.line !== null) words.push(`line=${selection.line}`);
  words.push(`tab=${selection.tab}`);
  history.replaceState(null, "", `#${words.join("&")}`);
}

// "page.html#pass=merge-shared-memory&buffer=K_shared" opens with them selected.
function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const instance = Number(words.get("instance") ?? page.instances.findIndex((one) => one.views));
  openInstance(page.instances[instance]?.views ? instance : page.instances.findIndex((one) => one.views));
  const pass = passNames().indexOf(words.get("pass"));
  if (pass >= 0) selection.pass = pass;
  const buffer = views.buffers.findLast((one) => one.name === words.get("buffer"));
  if (buffer) selection.buffer = buffer.id;
  if (words.has("line")) selection.line = Number(words.get("line"));
  const tab = words.get("tab"); // the window has panels that are no tabs here
  if (tabs.some((one) => one.name === tab)) selection.tab = tab;
}

// Its last pass.
function openInstance(instance) {
  openViews(instance);
  Object.assign(selection, Nothing, { instance, pass: passes.length - 1 });
}

function select(change) {
  const before = { ...selection };
  Object.assign(selection, change);
  const isStep = selection.pass !== before.pass;
  isStep ? drawPass() : drawTab();
  markSelection();
  revealPicked();
  if (isStep) stepChange(1);
  writeAddress();
}

// The nearest element that stands for something says what is meant; a buffer's name inside of a line
// means the buffer alone.
function meantBy(target) {
  const element = target.closest?.("[data-buffer], [data-stmt], [data-line], [data-point]");
  if (!element) return null;
  return Object.fromEntries(Kinds.map((kind) => [kind, valueOf(element, kind)]));
}

function pick(target) {
  const meant = meantBy(target);
  if (!meant) return;
  const known = Object.fromEntries(Object.entries(meant).filter(([, value]) => value !== null));
  if (known.buffer !== undefined && known.buffer === selection.buffer && Object.keys(known).length === 1) known.buffer = null;
  if (known.stmt !== undefined || known.line !== undefined) select({ stmt: null, line: null, ...known });
  else select(known);
}
