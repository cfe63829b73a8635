#include "core/exports/html_writer.h"

#include "core/exports/inline_svg.h"
#include "core/support/printable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cassert>

namespace tilescope {

namespace {

constexpr llvm::StringLiteral Style = R"(
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #ffffff; --quiet: #63686e; --rule: #d8dbdf;
  --soft: #f5f6f8; --link: #1765cc; --bad: #b3261e; --good: #1a7f37;
  --added: #e3f5e6; --added-word: #a6e0b0;
  --removed: #fce8e6; --removed-word: #f5b8b1; --modified: #fdf6dc; --modified-word: #f0d98a;
  --target: #fff0b3; --buffer: 36%; --invert: none }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #dfe2e6; --paper: #17191c; --quiet: #9aa1a9; --rule: #3a3f45; --soft: #212428;
    --link: #8ab4f8; --bad: #f2938c; --good: #6fcf86;
    --added: #16301c; --added-word: #28623a; --removed: #3a1c1b;
    --removed-word: #77302c; --modified: #332c14; --modified-word: #685720; --target: #4b421a;
    --buffer: 70%; --invert: invert(0.9) hue-rotate(180deg) }
}
body { margin: 2em auto; max-width: 110em; padding: 0 1.5em; color: var(--ink); background: var(--paper);
  font: 14px/1.45 system-ui, sans-serif }
h1 { font-size: 1.5em } h2 { font-size: 1.2em; margin-top: 2em } h3 { font-size: 1em }
a { color: var(--link); text-decoration: none } a:hover { text-decoration: underline }
:target { background: var(--target) }
.quiet { color: var(--quiet) } .bad { color: var(--bad) } .good { color: var(--good) }
.buffer { color: hsl(var(--hue) 65% var(--buffer)); white-space: nowrap }
table { border-collapse: collapse; margin: 0.5em 0 }
th, td { padding: 0.15em 0.8em; border-bottom: 1px solid var(--rule); text-align: left;
  vertical-align: top; unicode-bidi: isolate }
td { font-variant-numeric: tabular-nums; overflow-wrap: break-word } th { white-space: nowrap }
.number { text-align: right; white-space: nowrap } .whole { white-space: nowrap }
details { margin: 0.4em 0 } summary { cursor: pointer; padding: 0.15em 0 }
pre { margin: 0.5em 0; padding: 0.5em 0; overflow-x: auto; background: var(--soft);
  font: 12px/1.45 'DejaVu Sans Mono', Menlo, Consolas, monospace; tab-size: 4 }
pre > span { display: block; min-width: max-content; padding: 0 0.8em; unicode-bidi: isolate }
pre i { display: inline-block; min-width: 4ch; margin-right: 1ch; text-align: right; color: var(--quiet);
  font-style: normal; user-select: none }
pre i a { color: inherit }
.added { background: var(--added) } .added .word { background: var(--added-word) }
.removed { background: var(--removed) } .removed .word { background: var(--removed-word) }
.modified { background: var(--modified) } .modified .word { background: var(--modified-word) }
figure { margin: 0.8em 0; overflow-x: auto }
figure svg { filter: var(--invert); max-width: max(100%, 70em); height: auto }
.pair { display: flex; flex-wrap: wrap; gap: 0 1em } .pair > details { flex: 1 1 45em; min-width: 0 }
.pair figure svg { max-width: 100% }
@media print {
  body { margin: 0; max-width: none } pre > span { min-width: 0; white-space: pre-wrap }
  details::details-content { content-visibility: visible; block-size: auto }
  figure svg { max-width: 100% }
}
)";

constexpr llvm::StringLiteral Head =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    // The page cannot fetch or run anything, even if an escape were missing.
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'; img-src data:\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    // Browsers would ask for an icon.
    "<link rel=\"icon\" href=\"data:,\">\n";

std::string combined(llvm::StringRef first, llvm::StringRef second) {
  return (first + (first.empty() || second.empty() ? "" : " ") + second).str();
}

// What a piece under all of `spans` looks like: the first link, hue and tooltip win.
HtmlLook sumOf(llvm::ArrayRef<const HtmlSpan *> spans) {
  HtmlLook sum;
  for (const HtmlSpan *span : spans) {
    sum.classes = combined(sum.classes, span->look.classes);
    if (sum.target.empty())
      sum.target = span->look.target;
    if (sum.hueDegrees < 0)
      sum.hueDegrees = span->look.hueDegrees;
    if (sum.tooltip.empty())
      sum.tooltip = span->look.tooltip;
  }
  return sum;
}

// `text` in pieces that each lie wholly in or out of every span.
std::vector<HtmlRun> runsOf(llvm::StringRef text, const std::vector<HtmlSpan> &spans) {
  std::vector<size_t> cuts = {0, text.size()};
  std::vector<const HtmlSpan *> waiting, active;
  for (const HtmlSpan &span : spans) {
    cuts.push_back(std::min(span.begin, text.size()));
    cuts.push_back(std::min(span.end, text.size()));
    waiting.push_back(&span);
  }
  llvm::sort(cuts);
  llvm::stable_sort(waiting,
                    [](const HtmlSpan *a, const HtmlSpan *b) { return a->begin < b->begin; });
  size_t next = 0; // of waiting
  std::vector<HtmlRun> runs;
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (cuts[i] == cuts[i + 1])
      continue;
    for (; next != waiting.size() && waiting[next]->begin <= cuts[i]; ++next)
      active.push_back(waiting[next]);
    llvm::erase_if(active, [&](const HtmlSpan *span) { return span->end <= cuts[i]; });
    runs.push_back({text.slice(cuts[i], cuts[i + 1]).str(), sumOf(active)});
  }
  return runs;
}

} // namespace

std::string escapeHtml(llvm::StringRef text) {
  std::string fixed = llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
  std::string out;
  for (char c : withoutControls(fixed, "\t\n")) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += c;
    }
  }
  return out;
}

std::string idOf(llvm::StringRef prefix, llvm::StringRef name) {
  std::string id = prefix.str() + "-";
  for (char c : name) {
    if (llvm::isAlnum(c) || c == '_' || c == '.' || c == '-')
      id += c;
    else
      id += llvm::formatv("~{0:x-2}", static_cast<unsigned>(static_cast<unsigned char>(c))).str();
  }
  return id;
}

void HtmlWriter::begin(llvm::StringRef tag, Attributes attributes) {
  body_ += "<" + tag.str();
  for (const auto &[name, value] : attributes)
    body_ += " " + name.str() + "=\"" + escapeHtml(value) + "\"";
  body_ += ">";
  open_.push_back(tag.str());
}

void HtmlWriter::end() {
  assert(!open_.empty() && "an end without its begin");
  body_ += "</" + open_.back() + ">";
  // Within a line of text an end of line would be a space.
  if (!llvm::is_contained({"a", "span", "b", "i", "code"}, open_.back()))
    body_ += "\n";
  open_.pop_back();
}

void HtmlWriter::text(llvm::StringRef text) { body_ += escapeHtml(text); }

void HtmlWriter::run(const HtmlRun &run) {
  const HtmlLook &look = run.look;
  std::vector<std::pair<llvm::StringRef, std::string>> attributes;
  if (!look.target.empty())
    attributes.emplace_back("href", "#" + look.target);
  std::string classes = combined(look.hueDegrees < 0 ? "" : "buffer", look.classes);
  if (!classes.empty())
    attributes.emplace_back("class", classes);
  if (look.hueDegrees >= 0)
    attributes.emplace_back("style", "--hue:" + std::to_string(look.hueDegrees));
  if (!look.tooltip.empty())
    attributes.emplace_back("title", look.tooltip);
  if (attributes.empty())
    return text(run.text);
  element(look.target.empty() ? "span" : "a", run.text, attributes);
}

void HtmlWriter::element(llvm::StringRef tag, llvm::StringRef content, Attributes attributes) {
  begin(tag, attributes);
  text(content);
  end();
}

void HtmlWriter::beginDetails(llvm::StringRef summary, bool isOpen, llvm::StringRef id) {
  std::vector<std::pair<llvm::StringRef, std::string>> attributes;
  if (!id.empty())
    attributes.emplace_back("id", id.str());
  if (isOpen)
    attributes.emplace_back("open", "");
  begin("details", attributes);
  element("summary", summary);
}

void HtmlWriter::beginTable(llvm::ArrayRef<HtmlColumn> columns) {
  columns_ = columns.vec();
  begin("table");
  begin("tr");
  for (const HtmlColumn &column : columns_) {
    if (column.isNumber)
      element("th", column.title, {{"class", "number"}});
    else
      element("th", column.title);
  }
  end();
}

void HtmlWriter::row(llvm::ArrayRef<HtmlRun> cells, llvm::StringRef id) {
  assert(cells.size() == columns_.size() && "a row needs a cell a column");
  if (id.empty())
    begin("tr");
  else
    begin("tr", {{"id", id.str()}});
  for (size_t i = 0; i != cells.size(); ++i) {
    if (columns_[i].isNumber)
      begin("td", {{"class", "number"}});
    else
      begin("td");
    run(cells[i]);
    end();
  }
  end();
}

void HtmlWriter::beginCode() { begin("pre"); }

void HtmlWriter::line(const HtmlLine &line) {
  std::vector<std::pair<llvm::StringRef, std::string>> attributes;
  if (!line.id.empty())
    attributes.emplace_back("id", line.id);
  if (!line.classes.empty())
    attributes.emplace_back("class", line.classes);
  begin("span", attributes);
  for (const HtmlRun &number : line.gutter) {
    begin("i");
    run(number);
    end();
  }
  for (const HtmlRun &piece : runsOf(line.text, line.spans))
    run(piece);
  body_ += "\n"; // so that a copied or an unstyled page has lines, too
  end();
}

void HtmlWriter::svg(llvm::StringRef document, llvm::StringRef place) {
  begin("figure");
  std::string name = (place + document).str();
  body_ += inlineSvg(document, "p" + llvm::utohexstr(llvm::xxh3_64bits(name)));
  end();
}

std::string HtmlWriter::take() {
  assert(open_.empty() && "a begin without its end");
  return std::move(body_);
}

std::string htmlDocument(llvm::StringRef title, llvm::StringRef body) {
  return (Head + "<title>" + escapeHtml(title) + "</title>\n<style>" + Style +
          "</style>\n</head>\n<body>\n" + body + "</body>\n</html>\n")
      .str();
}

} // namespace tilescope
