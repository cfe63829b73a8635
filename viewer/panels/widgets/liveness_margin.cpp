#include "viewer/panels/widgets/liveness_margin.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr float MaxLanePixels = 7;
constexpr float LeastLanePixels = 3;
// Of the pane, for all lanes together.
constexpr float MaxShare = 0.2F;

// The first bar that ends after `line`.
template <typename Bars> auto firstFrom(const Bars &bars, uint32_t line) {
  return llvm::partition_point(bars, [&](const GutterBar &bar) { return bar.end <= line; });
}

struct LanePainter {
  ImDrawList &list;
  const TextStyle &style;
  float left;
  float width; // of the lane
  float top;   // of row `first`
  size_t first, last;
  const std::vector<uint32_t> &rowOfLine;

  float yOf(size_t row) const {
    size_t within = std::clamp(row, first, last) - first;
    return top + static_cast<float>(within) * style.lineHeight;
  }

  // One row a line, and the rows between.
  void drawBar(const GutterBar &bar, bool isInFlight) const {
    const NamedBuffer *buffer = findBuffer(style.buffers, bar.buffer);
    if (!buffer || bar.begin >= bar.end || bar.end > rowOfLine.size())
      return;
    const Theme &theme = style.theme;
    BufferSpan name{0, 0, bar.buffer, {}};
    bool isShown = style.pinned.names(name) || style.hovered.names(name);
    float half = (isShown ? 0.72F : 0.45F) * width / 2;
    float middle = left + width / 2;
    ImVec2 from(middle - half, yOf(rowOfLine[bar.begin]));
    ImVec2 to(middle + half, yOf(rowOfLine[bar.end - 1] + size_t(1)));
    if (isInFlight) {
      // On its way: only the outline of what will be there.
      list.AddRectFilled(from, to, theme.color(Meaning::Background, 0.6F));
      list.AddRect(from, to, theme.bufferLine(buffer->hueDegrees), 0, 0, theme.scale);
    } else {
      list.AddRectFilled(from, to,
                         isShown ? theme.bufferLine(buffer->hueDegrees)
                                 : theme.bufferLine(buffer->hueDegrees, 0.55F));
    }
  }

  // A definition is a full dot, a use a ring.
  void drawMark(const GutterMark &mark) const {
    const NamedBuffer *buffer = findBuffer(style.buffers, mark.buffer);
    if (!buffer || mark.line >= rowOfLine.size())
      return;
    ImVec2 center(left + width / 2, yOf(rowOfLine[mark.line]) + style.lineHeight / 2);
    float radius = width / 2;
    ImU32 color = style.theme.bufferLine(buffer->hueDegrees);
    if (mark.isDef) {
      list.AddCircleFilled(center, radius, color, 10);
      return;
    }
    list.AddCircleFilled(center, radius, style.theme.color(Meaning::Background), 10);
    list.AddCircle(center, radius - style.theme.scale / 2, color, 10, 1.5F * style.theme.scale);
  }
};

} // namespace

LivenessMargin::LivenessMargin(const IrView &view, const std::vector<uint32_t> &rowOfLine,
                               const std::vector<uint32_t> &lineOfRow)
    : view_(view), rowOfLine_(rowOfLine), lineOfRow_(lineOfRow) {
  for (const IrGutter &gutter : view.gutters)
    laneCount_ = std::max(laneCount_, gutter.lanes.size());
}

float LivenessMargin::laneWidth(const TextStyle &style) const {
  float share = MaxShare * style.paneWidth / static_cast<float>(std::max<size_t>(laneCount_, 1));
  return std::clamp(share, LeastLanePixels * style.theme.scale, MaxLanePixels * style.theme.scale);
}

float LivenessMargin::width(const TextStyle &style) const {
  if (laneCount_ == 0)
    return 0;
  return laneWidth(style) * static_cast<float>(laneCount_) + style.charWidth;
}

void LivenessMargin::draw(ImDrawList &list, const TextStyle &style, ImVec2 topLeft, size_t first,
                          size_t last) const {
  if (first >= last || lineOfRow_.size() < last)
    return;
  uint32_t firstLine = lineOfRow_[first], lastLine = lineOfRow_[last - 1];
  for (const IrGutter &gutter : view_.gutters)
    for (size_t lane = 0; lane != gutter.lanes.size(); ++lane) {
      float left = topLeft.x + laneWidth(style) * static_cast<float>(lane);
      LanePainter painter{list, style, left, laneWidth(style), topLeft.y, first, last, rowOfLine_};
      const GutterLane &content = gutter.lanes[lane];
      auto drawBars = [&](const std::vector<GutterBar> &bars, bool isInFlight) {
        for (auto bar = firstFrom(bars, firstLine); bar != bars.end() && bar->begin <= lastLine;
             ++bar)
          painter.drawBar(*bar, isInFlight);
      };
      drawBars(content.live, false);
      drawBars(content.inFlight, true);
      auto mark = llvm::partition_point(
          content.marks, [&](const GutterMark &other) { return other.line < firstLine; });
      for (; mark != content.marks.end() && mark->line <= lastLine; ++mark)
        painter.drawMark(*mark);
    }
}

Pick LivenessMargin::pickAt(const TextStyle &style, size_t row, float x) const {
  if (x < 0 || row >= lineOfRow_.size())
    return {};
  auto lane = static_cast<size_t>(x / laneWidth(style));
  uint32_t line = lineOfRow_[row];
  for (const IrGutter &gutter : view_.gutters) {
    if (lane >= gutter.lanes.size())
      continue;
    auto bar = firstFrom(gutter.lanes[lane].live, line);
    if (bar == gutter.lanes[lane].live.end() || bar->begin > line)
      continue;
    if (const NamedBuffer *buffer = findBuffer(style.buffers, bar->buffer))
      return Pick::ofBuffer(buffer->key);
  }
  return {};
}

} // namespace tilescope
