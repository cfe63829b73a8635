#include "core/exports/point_axis.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr double PointHeight = 16;
constexpr double MaxHeight = 2400;
constexpr double LoopWidth = 15;
constexpr size_t MaxTextWidth = 58;
constexpr double NumberWidth = 6 * CharacterWidth; // of the point and of the line

// CSS of the classes that axes and pictures use.
constexpr llvm::StringLiteral Style =
    "text { font: 11px 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #222222 }\n"
    ".title { font-size: 14px; font-weight: bold }\n"
    ".quiet { fill: #767676 }\n"
    ".end { text-anchor: end }\n"
    ".middle { text-anchor: middle }\n"
    // A halo keeps names readable over lines.
    ".name { stroke: #ffffff; stroke-width: 2px; stroke-opacity: 0.7; paint-order: stroke }\n"
    ".band { fill: #f5f6f8 }\n"
    ".frame { fill: none; stroke: #9aa0a6 }\n"
    ".grid { stroke: #e3e5e8 }\n"
    ".loop { stroke: #767676; fill: none }\n"
    ".capacity { stroke: #c62828; stroke-width: 2 }\n"
    ".capacity-text { fill: #c62828 }\n"
    ".peak { stroke: #222222; stroke-dasharray: 6 3 }\n"
    ".step { stroke: #767676; stroke-dasharray: 2 3 }\n"
    ".over { fill: #c62828; fill-opacity: 0.08 }\n";

// As much of "line 65: for kb in T.serial(0, 32):" as has room: all, "line 65: for kb", "for kb",
// "kb"; "" if not even that.
std::string loopLabel(llvm::StringRef text, size_t width) {
  llvm::StringRef head = text.split(" in ").first;
  size_t loop = head.rfind("for ");
  llvm::StringRef bare = loop == llvm::StringRef::npos ? head : head.drop_front(loop);
  llvm::StringRef variable = bare;
  variable.consume_front("for ");
  for (llvm::StringRef label : {text, head, bare, variable})
    if (charactersOf(label) <= width)
      return label.str();
  return "";
}

} // namespace

void drawHeading(llvm::StringRef title, llvm::StringRef caption, double width, SvgWriter &svg) {
  // The title is 14 pixels high, the caption 11.
  auto fits = static_cast<size_t>((width - 2 * Margin) / CharacterWidth);
  svg.text(Margin, 20, clipText(title, fits * 11 / 14), "class=\"title\"");
  if (!caption.empty())
    svg.text(Margin, 38, clipText(caption, fits), "class=\"quiet\"");
}

double widthOf(llvm::StringRef text) {
  return CharacterWidth * static_cast<double>(charactersOf(text));
}

std::string pictureDocument(std::vector<SvgDrawing> pictures, llvm::StringRef definitions,
                            llvm::StringRef whyEmpty) {
  if (pictures.empty()) {
    SvgWriter svg;
    svg.text(Margin, 20, whyEmpty);
    pictures.push_back({widthOf(whyEmpty) + 4 * Margin, 32, svg.body()});
  }
  return svgDocument(pictures, Style, definitions);
}

double PointAxis::height() const { return std::min(PointHeight * std::max(count, 1), MaxHeight); }

double PointAxis::textWidth() const {
  double width = 0;
  for (const PointLabel &label : labels)
    width = std::max(width, widthOf(label.text));
  return std::min(width, MaxTextWidth * CharacterWidth);
}

int PointAxis::loopColumns() const {
  int columns = 0;
  for (const PointLoop &loop : loops)
    columns = std::max(columns, loop.depth + 1);
  return columns;
}

ProgramPoint PointAxis::labelEvery() const {
  double row = height() / std::max(count, 1);
  ProgramPoint every = 1;
  while (row * every < PointHeight - 0.01)
    ++every;
  return every;
}

double PointAxis::width() const {
  double text = labels.empty() ? NumberWidth : 2 * NumberWidth + textWidth();
  return Margin + text + Margin + loopColumns() * LoopWidth;
}

void PointAxis::draw(double top, double right, SvgWriter &svg) const {
  double left = width();
  ProgramPoint every = labelEvery();
  bool isBand = false;
  for (ProgramPoint point = 0; point < count; point += every, isBand = !isBand) {
    ProgramPoint next = std::min(point + every, count);
    if (isBand)
      svg.box({left, top + y(point), right - left, y(next) - y(point)}, "class=\"band\"");
    double base = top + y(point) + PointHeight - 4;
    svg.text(Margin + 4 * CharacterWidth, base, std::to_string(point), "class=\"end quiet\"");
    if (static_cast<size_t>(point) >= labels.size())
      continue;
    const PointLabel &label = labels[point];
    if (label.sourceLine)
      svg.text(Margin + NumberWidth + 4 * CharacterWidth, base, lineText(label.sourceLine),
               "class=\"end quiet\"");
    svg.text(Margin + 2 * NumberWidth, base, clipText(label.text, MaxTextWidth));
  }
  for (const PointLoop &loop : loops)
    drawLoop(loop, top, svg);
}

void PointAxis::drawLoop(const PointLoop &loop, double top, SvgWriter &svg) const {
  double x = width() - LoopWidth * (loopColumns() - loop.depth) + LoopWidth - 4;
  double begin = top + y(loop.begin) + 2, end = top + y(loop.end) - 2;
  svg.beginGroup(loop.text);
  svg.line(x, begin, x, end, "class=\"loop\"");
  svg.line(x, begin, x + 4, begin, "class=\"loop\"");
  svg.line(x, end, x + 4, end, "class=\"loop\"");
  auto fits = static_cast<size_t>(std::max(0.0, (end - begin) / CharacterWidth));
  if (std::string label = loopLabel(loop.text, fits); !label.empty())
    svg.verticalText(x - 2, (begin + end) / 2, label, "class=\"quiet\"");
  svg.endGroup();
}

} // namespace tilescope
