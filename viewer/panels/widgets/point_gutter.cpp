#include "viewer/panels/widgets/point_gutter.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr float LineDigits = 4;
constexpr float TextDigits = 28;
constexpr float LeastArgumentDigits = 6;
constexpr float UsualShare = 0.4F, MostShare = 0.5F; // of the room
constexpr llvm::StringLiteral CallPrefix = "T.";     // of most statements
constexpr float BracketDigits = 1.2F;                // of a loop
constexpr int MostColumns = 5;                       // deeper loops share the last

// "cp_async"
llvm::StringRef callOf(llvm::StringRef text) {
  text.consume_front(CallPrefix);
  return text.take_until([](char byte) { return byte == '('; });
}

} // namespace

Pick pickOf(StmtId stmt, const KernelLine &sourceLine) {
  Pick pick;
  pick.stmt = stmt;
  pick.sourceLine = sourceLine;
  return pick;
}

std::string placeText(ProgramPoint point, uint32_t irLine, const KernelLine &sourceLine) {
  std::string text = "point " + std::to_string(point);
  if (irLine)
    text += ", line " + std::to_string(irLine) + " of the IR";
  return text + lineText(", line ", sourceLine, " of the kernel");
}

std::string livesText(const std::vector<LiveInterval> &live) {
  constexpr size_t Most = 6;
  std::string text;
  for (size_t i = 0; i != std::min(live.size(), Most); ++i)
    text += llvm::formatv("{0}[{1}, {2})", i ? " " : "", live[i].begin, live[i].end);
  return live.size() > Most ? text + " ..." : text;
}

int PointGutter::columns() const {
  int columns = 0;
  for (const TraceLoop &loop : loops_)
    columns = std::max(columns, loop.depth + 1);
  return std::min(columns, MostColumns);
}

float PointGutter::bracketsWidth() const {
  return (BracketDigits * static_cast<float>(columns()) + 0.5F) * picture_.character;
}

// Narrow places keep what is called, narrower ones the line numbers and the brackets alone.
float PointGutter::widthIn(float room) const {
  float least = (LineDigits + 1) * picture_.character + bracketsWidth();
  size_t longest = 0, longestCall = 0;
  for (const TracePoint &point : points_) {
    longest = std::max(longest, point.text.size());
    longestCall = std::max(longestCall, callOf(point.text).size());
  }
  auto widthOf = [&](size_t digits) {
    return (std::min(static_cast<float>(digits), TextDigits) + 1) * picture_.character;
  };
  float usual = std::min(widthOf(longest), room * UsualShare - least);
  float call = widthOf(longestCall);
  if (call > room * MostShare - least)
    return least;
  return least + std::max(usual, call);
}

void PointGutter::draw(const Box &box, StmtId shown, float right) const {
  const Picture &p = picture_;
  Stretch seen = axis_.shown();
  auto count = static_cast<double>(points_.size());
  auto begin = static_cast<size_t>(std::clamp(std::floor(seen.begin - first_), 0.0, count));
  auto end = static_cast<size_t>(std::clamp(std::ceil(seen.end - first_), 0.0, count));
  auto every = static_cast<size_t>(std::max(1.0, std::ceil(p.line * 0.95 / axis_.unitPixels())));
  for (size_t i = begin; i < end; ++i) {
    bool isShown = shown.isValid() && points_[i].stmt == shown;
    if (isShown) {
      float top = yOf(static_cast<double>(i)), bottom = yOf(static_cast<double>(i + 1));
      p.fill({ImVec2(box.min.x, top), ImVec2(right, std::max(bottom, top + 2 * p.scale))},
             p.color(Meaning::Selected));
    }
    if (i % every == 0)
      drawPoint(box, i, isShown);
  }
  drawLoops(box, shown);
}

void PointGutter::drawPoint(const Box &box, size_t index, bool isShown) const {
  const Picture &p = picture_;
  const TracePoint &point = points_[index];
  float top = yOf(static_cast<double>(index)), bottom = yOf(static_cast<double>(index + 1));
  Box place{ImVec2(box.min.x, top),
            ImVec2(box.max.x - bracketsWidth(), std::max(bottom, top + p.line))};
  if (uint32_t line = irLineOf(index)) {
    std::string number = std::to_string(line);
    Box left = place;
    left.min.x += std::max(LineDigits * p.character - p.widthOf(number), 0.0F);
    p.label(left, number, p.color(Meaning::Quiet));
  }
  place.min.x += (LineDigits + 1) * p.character;
  if (place.width() < p.character)
    return;
  llvm::StringRef text = point.text;
  text.consume_front(CallPrefix);
  llvm::StringRef call = callOf(text);
  float least = p.widthOf(call) + LeastArgumentDigits * p.character;
  if (least > place.width() && p.widthOf(text) > place.width())
    text = call; // a bit of its arguments tells nothing
  // What a statement does after its first point: quiet, so that it does not read as another one.
  bool isSame = index > 0 && points_[index - 1].stmt == point.stmt;
  p.listing(place, text,
            p.color(isShown  ? Meaning::Accent
                    : isSame ? Meaning::Quiet
                             : Meaning::Text));
}

void PointGutter::drawLoops(const Box &box, StmtId shown) const {
  const Picture &p = picture_;
  for (const TraceLoop &loop : loops_) {
    Box bracket = bracketOf(box, loop);
    if (bracket.max.y < box.min.y || bracket.min.y > box.max.y)
      continue;
    bool isShown = shown.isValid() && loop.stmt == shown;
    ImU32 color = p.color(isShown ? Meaning::Accent : Meaning::Quiet);
    float width = isShown ? 2 : 1;
    p.vertical(bracket.min.x, bracket.min.y, bracket.max.y, color, width);
    p.horizontal(bracket.min.x, bracket.max.x, bracket.min.y, color, width);
    p.horizontal(bracket.min.x, bracket.max.x, bracket.max.y - width * p.scale, color, width);
  }
}

Box PointGutter::bracketOf(const Box &box, const TraceLoop &loop) const {
  float step = BracketDigits * picture_.character;
  int column = std::min(loop.depth, MostColumns - 1);
  float left = box.max.x - bracketsWidth() + step * static_cast<float>(column);
  float gap = 2 * picture_.scale;
  return {ImVec2(left, yOf(loop.begin) + gap), ImVec2(left + 0.6F * step, yOf(loop.end) - gap)};
}

Pick PointGutter::pickAt(const Box &box, ImVec2 mouse) const {
  if (!box.contains(mouse))
    return {};
  if (mouse.x >= box.max.x - bracketsWidth())
    for (size_t i = loops_.size(); i-- > 0;) {
      const TraceLoop &loop = loops_[i];
      Box bracket = bracketOf(box, loop);
      bracket.max.x = bracket.min.x + BracketDigits * picture_.character;
      if (!bracket.contains(mouse))
        continue;
      showDetails(picture_.theme,
                  {loop.text, llvm::formatv("points [{0}, {1}){2}", loop.begin, loop.end,
                                            lineText(", line ", loop.sourceLine))
                                  .str()},
                  loop.sourceLine);
      return pickOf(loop.stmt, loop.sourceLine);
    }
  double point = std::floor(axis_.unit(mouse.y) - first_);
  if (point < 0 || point >= static_cast<double>(points_.size()))
    return {};
  const TracePoint &at = points_[static_cast<size_t>(point)];
  showDetails(picture_.theme,
              {at.text, placeText(static_cast<ProgramPoint>(point),
                                  irLineOf(static_cast<size_t>(point)), at.sourceLine)},
              at.sourceLine);
  return pickOf(at.stmt, at.sourceLine);
}

} // namespace tilescope
