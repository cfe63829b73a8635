// Where panels stand. Texts and the arena are always there; of the others one is shown, by its tab.

const texts = []; // {name, draw, isOfPass}
const tabs = [];  // {name, title, draw}: draw(pass) gives the content; null: there is nothing

function addText(name, draw) {
  texts.push({ name, draw, isOfPass: true });
}

// The same after every pass, so that it stays where it is scrolled to.
function addTextOfAll(name, draw) {
  texts.push({ name, draw, isOfPass: false });
}

function addTab(name, title, draw) {
  tabs.push({ name, title, draw });
}

function place(name) {
  return document.querySelector(`[data-panel="${name}"]`);
}

function panel(name, title) {
  return make("section", { "data-panel": name, "aria-label": title });
}

function frame() {
  const tabBar = make("nav", { role: "tablist" }, ...tabs.map((tab, index) =>
    button(tab.title, { role: "tab", "data-tab": tab.name, title: index < 10 ? `key ${(index + 1) % 10}` : "" })));
  const rest = make("section", { class: "tabs" }, tabBar, make("div", { "data-panel": "tab" }));
  return make("main", {}, panel("passes", "Passes"), panel("ir", "IR"), panel("cuda", "CUDA"), panel("source", "Kernel file"),
    panel("arena", "Shared memory"), rest);
}

// A text stays where it is scrolled to.
function drawTab() {
  const tab = tabs.find((one) => one.name === selection.tab) ?? tabs[0];
  const [text] = place("tab").getElementsByTagName("pre");
  const scrolled = text?.dataset.shows === tab.name ? text.scrollTop : 0;
  const content = tab.draw(selection.pass);
  place("tab").replaceChildren(content ?? make("p", { class: "quiet" }, "There is none after this pass."));
  for (const drawn of place("tab").getElementsByTagName("pre")) {
    drawn.dataset.shows = tab.name;
    drawn.scrollTop = scrolled;
  }
}

function drawPass() {
  for (const text of texts) if (text.isOfPass) drawPanel(text.name);
  drawTab();
}

function drawPanel(name) {
  place(name).replaceChildren(...texts.find((text) => text.name === name).draw(selection.pass));
}

function commandLine() {
  const pass = passNames()[selection.pass];
  const buffer = selection.buffer === null ? "" : ` --buffer ${nameOfBuffer(selection.buffer)}`;
  return `tilescope show ${buffer ? "buffer" : "ir"} ${views.passes.kernel || views.file} --pass ${pass}${buffer}`;
}

function heading() {
  const facts = [page.instances.length > 1 ? page.instances[selection.instance].row.trace : "", fileOf(views.passes.kernel || views.file), page.instances[selection.instance].row.arguments, views.passes.target].filter(Boolean).join(", ");
  const left = page.leftOut.length ? ` Left out for the size of the page: ${page.leftOut.join(", ")}.` : "";
  return [make("h1", { title: views.file }, facts), make("p", { class: "quiet" }, `j and k step through the passes, ? shows all keys.${left}`)];
}

function showAll() {
  document.querySelector("header").replaceChildren(...heading());
  for (const text of texts) drawPanel(text.name);
  drawTab();
  revealKernel();
  markSelection();
  revealPicked();
}

function showInstance(instance) {
  openInstance(instance);
  showAll();
  writeAddress();
}

function onClick(event) {
  const chosen = event.target.closest("[data-tab], [data-instance]");
  if (chosen?.dataset.tab) select({ tab: chosen.dataset.tab });
  else if (chosen) showInstance(Number(chosen.dataset.instance));
  else pick(event.target);
}

function start() {
  document.body.append(make("header"));
  if (!page.instances.some((one) => one.views)) return void document.body.append(instancesTable());
  document.body.append(frame());
  readAddress();
  showAll();
  document.addEventListener("click", onClick);
  document.addEventListener("mouseover", (event) => mark(document, "hinted", meantBy(event.target) ?? {}));
  addEventListener("hashchange", () => { readAddress(); showAll(); });
}

addEventListener("DOMContentLoaded", start);
