// Beside the plot of an arena_plot.h: shared memory without an offset, a column for what shares
// bytes.
#include "viewer/panels/widgets/arena_plot.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr float ColumnLines = 1.6F;
constexpr float MostShare = 0.35F; // of the room
constexpr ProgramPoint LeastPoints = 8;

std::vector<LiveInterval> livesOf(const OutsideBox &outside, ProgramPoint points) {
  return outside.live.empty() ? std::vector<LiveInterval>{{0, points}} : outside.live;
}

} // namespace

ProgramPoint ArenaPlot::rowCount() const {
  return function_.outside.empty() ? function_.pointCount
                                   : std::max(function_.pointCount, LeastPoints);
}

int ArenaPlot::stripColumns() const {
  int columns = 0;
  for (const OutsideBox &box : function_.outside)
    columns = std::max(columns, box.column + 1);
  return columns;
}

float ArenaPlot::stripWidth(float room) const {
  auto columns = static_cast<float>(stripColumns());
  float gap = picture_.character;
  return columns == 0 ? 0 : std::min(gap + columns * ColumnLines * picture_.line, MostShare * room);
}

Box ArenaPlot::boxOf(const OutsideBox &outside, const LiveInterval &interval,
                     const Box &strip) const {
  float gap = picture_.character;
  float width = (strip.width() - gap) / static_cast<float>(std::max(stripColumns(), 1));
  float left = strip.min.x + gap + width * static_cast<float>(outside.column);
  return {ImVec2(left, zoom_.pixelY(pointRow() + interval.begin)),
          ImVec2(left + std::max(width - 2 * picture_.scale, picture_.scale),
                 zoom_.pixelY(pointRow() + interval.end))};
}

// Dashed: nobody knows yet where they lie.
void ArenaPlot::drawStrip(const Box &strip, const ShownPick &shown) const {
  const Picture &p = picture_;
  if (function_.outside.empty())
    return;
  bool hasShown =
      std::any_of(function_.outside.begin(), function_.outside.end(),
                  [&](const OutsideBox &outside) { return outside.buffer == shown.buffer(); });
  for (const OutsideBox &outside : function_.outside)
    for (const LiveInterval &interval : livesOf(outside, rowCount())) {
      Box box = boxOf(outside, interval, strip);
      if (box.max.y < strip.min.y || box.min.y > strip.max.y)
        continue;
      Emphasis emphasis = shown.emphasisOf(outside.buffer);
      bool isDimmed = emphasis == Emphasis::Dimmed && (hasShown || rowOf(shown.buffer()));
      p.fill(box, p.theme.bufferFill(outside.hueDegrees, isDimmed ? Theme::DimmedAlpha : 1));
      p.dashedOutline(box, p.theme.bufferLine(outside.hueDegrees));
      drawEmphasis(p, box, emphasis);
      Box seen{ImVec2(box.min.x, std::max(box.min.y, strip.min.y)),
               ImVec2(box.max.x, std::min(box.max.y, strip.max.y))};
      std::string text = outside.name + ", " + outside.detail;
      if (p.widthOf(text) > seen.height())
        text = outside.name;
      if (p.widthOf(text) <= seen.height()) // else a tooltip tells it
        p.uprightLabel(seen, text,
                       isDimmed ? p.color(Meaning::Quiet) : p.theme.bufferText(outside.hueDegrees));
    }
}

Pick ArenaPlot::outsideAt(const PanelContext &context, const Box &strip, ImVec2 mouse) const {
  if (!strip.contains(mouse))
    return {};
  for (const OutsideBox &outside : function_.outside)
    for (const LiveInterval &interval : livesOf(outside, rowCount())) {
      if (!boxOf(outside, interval, strip).contains(mouse))
        continue;
      std::vector<std::string> lines{outside.name};
      if (outside.sizeBytes > 0)
        lines.push_back("static: " + groupedNumber(outside.sizeBytes) +
                        " bytes, placed by the CUDA compiler");
      else
        lines.push_back("its size is known at launch: it lies above the arena");
      if (!outside.live.empty())
        lines.push_back("live at points " + livesText(outside.live));
      for (const OutsideBox &other : function_.outside)
        if (other.column == outside.column && other.buffer != outside.buffer)
          lines.push_back("shares bytes with " + other.name);
      showDetails(picture_.theme, lines);
      return pickOf(context, outside.buffer);
    }
  return {};
}

} // namespace tilescope
