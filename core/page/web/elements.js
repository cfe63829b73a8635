// Elements of the page. Text is never read as markup.

// `attributes`: class, title, data-buffer and the like; null and "" leave one out.
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined && value !== "") element.setAttribute(name, value);
  return element;
}

function make(tag, attributes = {}, ...children) {
  const element = setAttributes(document.createElement(tag), attributes);
  element.append(...children);
  return element;
}

function drawn(tag, attributes = {}, ...children) {
  const element = setAttributes(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes);
  element.append(...children);
  return element;
}

// What can be selected also takes the keyboard.
function button(text, attributes = {}) {
  return make("button", { type: "button", ...attributes }, text);
}

function hueOf(buffer) {
  const known = buffersById.get(buffer);
  return known ? `--hue: ${known.hue}` : "";
}

function nameOfBuffer(buffer) {
  const known = buffersById.get(buffer);
  return known ? known.name : "";
}

function bufferButton(buffer, text = nameOfBuffer(buffer)) {
  return button(text, { class: "buffer", "data-buffer": buffer, style: hueOf(buffer) });
}

function lineButton(line) {
  return line ? button(`line ${line}`, { class: "link", "data-line": line }) : "";
}

// `columns`: [title, cell of a row, is a number].
function table(columns, rows, attributesOf = () => ({})) {
  const head = make("tr", {}, ...columns.map(([title, , isNumber]) => make("th", { class: isNumber ? "number" : "" }, title)));
  const body = rows.map((row) =>
    make("tr", attributesOf(row), ...columns.map(([, cell, isNumber]) => make("td", { class: isNumber ? "number" : "" }, cell(row) ?? ""))));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
}

function grouped(number) {
  return number.toLocaleString("en-US");
}

function kibibytes(bytes) {
  return bytes < 1024 ? `${bytes} bytes` : `${+(bytes / 1024).toFixed(1)} KiB`;
}

// `text` in pieces that each lie wholly in or out of every span [begin, end), with the spans that
// they lie in. Views count bytes of UTF-8.
function piecesOf(text, spans) {
  const isPlain = /^[\x00-\x7f]*$/.test(text);
  const bytes = isPlain ? null : new TextEncoder().encode(text);
  const part = (begin, end) => (isPlain ? text.slice(begin, end) : new TextDecoder().decode(bytes.slice(begin, end)));
  const ends = new Set([0, isPlain ? text.length : bytes.length]);
  for (const span of spans) ends.add(span.begin).add(span.end);
  const cuts = [...ends].sort((a, b) => a - b);
  return cuts.slice(1).map((end, index) => {
    const begin = cuts[index];
    return { text: part(begin, end), spans: spans.filter((span) => span.begin <= begin && end <= span.end) };
  });
}
