#include "viewer/panels/widgets/arena_stack.h"

#include <algorithm>

namespace tilescope {

ArenaStack::ArenaStack(const ArenaView &view, const Picture &picture, const ZoomView &zoom,
                       llvm::StringRef caption)
    : picture_(picture), zoom_(zoom), caption_(caption) {
  bool hasHeadings = view.functions.size() > 1;
  for (const ArenaFunction &function : view.functions)
    plots_.emplace_back(function, picture, zoom, plots_.empty() ? 0 : plots_.back().end(),
                        hasHeadings);
}

float ArenaStack::gutterWidth(float room) const {
  float width = 0;
  for (const ArenaPlot &plot : plots_)
    width = std::max(width, plot.gutterWidth(room));
  return width;
}

float ArenaStack::headlineHeight(float width) const {
  size_t lines = 0;
  for (const ArenaPlot &plot : plots_)
    lines = std::max(lines, plot.headline(caption_, width).size());
  return static_cast<float>(lines) * picture_.line;
}

std::optional<Region> ArenaStack::regionOf(BufferId buffer) const {
  for (const ArenaPlot &plot : plots_)
    if (std::optional<Region> region = plot.regionOf(buffer))
      return region;
  return std::nullopt;
}

ArenaParts ArenaStack::partsOf(const Box &room, float gutterWidth, float headlineHeight) const {
  float strip = 0;
  for (const ArenaPlot &plot : plots_)
    strip = std::max(strip, plot.stripWidth(room.width()));
  ArenaParts parts;
  float ruler = room.min.y + headlineHeight, rows = ruler + ByteRuler::heightIn(picture_);
  parts.headline = {room.min, ImVec2(room.max.x, ruler)};
  parts.area = {ImVec2(room.min.x, rows), room.max};
  parts.plot = {ImVec2(room.min.x + gutterWidth, rows), ImVec2(room.max.x - strip, room.max.y)};
  parts.ruler = {ImVec2(room.min.x, ruler), ImVec2(parts.plot.max.x, rows)};
  parts.gutter = {parts.area.min, ImVec2(parts.plot.min.x, room.max.y)};
  parts.strip = {ImVec2(parts.plot.max.x, rows), room.max};
  return parts;
}

size_t ArenaStack::middlePlot(const Box &plot) const {
  double row = zoom_.y.unit((plot.min.y + plot.max.y) / 2);
  size_t index = 0;
  while (index + 1 < plots_.size() && plots_[index].end() <= row)
    ++index;
  return index;
}

// The last reaches to the bottom.
Box ArenaStack::rowsOf(size_t index, const Box &plot) const {
  Box rows = plot;
  if (index > 0)
    rows.min.y = std::clamp(zoom_.pixelY(plots_[index - 1].end()), plot.min.y, plot.max.y);
  if (index + 1 < plots_.size())
    rows.max.y = std::clamp(zoom_.pixelY(plots_[index].end()), plot.min.y, plot.max.y);
  return rows;
}

void ArenaStack::draw(const ArenaParts &parts, const ShownPick &shown) const {
  const Picture &p = picture_;
  const Box &plot = parts.plot;
  std::vector<ByteRuler> rulers;
  for (const ArenaPlot &function : plots_)
    rulers.emplace_back(p, zoom_.x, parts.ruler.min.x, parts.ruler.max.x, function.rules());
  size_t middle = middlePlot(plot);
  p.clip({parts.headline.min, ImVec2(parts.headline.max.x, parts.ruler.max.y)});
  plots_[middle].drawHeadline(parts.headline, caption_);
  rulers[middle].drawAbove(parts.ruler.min.y);
  p.unclip();
  p.clip({parts.gutter.min, plot.max});
  p.fill(plot, p.color(Meaning::Raised, 0.4F));
  for (size_t i = 0; i != plots_.size(); ++i) {
    rulers[i].drawUnder(rowsOf(i, plot));
    plots_[i].drawRows(parts.gutter, plot, shown);
  }
  p.unclip();
  p.clip(plot);
  std::vector<std::vector<ArenaPlot::BoxName>> names;
  for (const ArenaPlot &function : plots_)
    names.push_back(function.drawBuffers(plot, shown));
  for (size_t i = 0; i != plots_.size(); ++i)
    rulers[i].drawOver(rowsOf(i, plot));
  for (size_t i = 0; i != plots_.size(); ++i) {
    plots_[i].drawNames(names[i]);
    plots_[i].drawPointers(plot, shown);
  }
  p.unclip();
  p.clip(parts.area);
  for (const ArenaPlot &function : plots_) {
    function.drawStrip(parts.strip, shown);
    function.drawHeading(parts.area);
  }
  p.unclip();
}

void ArenaStack::notePlaces(Places &places, const ArenaParts &parts) const {
  for (const ArenaPlot &function : plots_)
    function.notePlaces(places, parts.plot);
}

Pick ArenaStack::bufferAt(const PanelContext &context, const ArenaParts &parts) const {
  Pick pick;
  for (const ArenaPlot &function : plots_)
    if (pick.isEmpty())
      pick = function.bufferAt(context, parts.plot, zoom_.mouse());
  return pick;
}

Pick ArenaStack::pickAt(const PanelContext &context, const ArenaParts &parts) const {
  Pick pick = bufferAt(context, parts);
  for (const ArenaPlot &function : plots_) {
    if (pick.isEmpty())
      pick = function.statementAt(parts.gutter, zoom_.mouse());
    if (pick.isEmpty())
      pick = function.outsideAt(context, parts.strip, zoom_.mouse());
  }
  return pick;
}

} // namespace tilescope
