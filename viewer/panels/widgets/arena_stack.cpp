#include "viewer/panels/widgets/arena_stack.h"

#include "viewer/panels/widgets/arena_drawing.h"
#include "viewer/panels/widgets/arena_heading.h"
#include "viewer/panels/widgets/arena_pointer.h"

#include <algorithm>

namespace tilescope {

// What the numbers of the rows are.
static void drawGutterTitle(const Picture &picture, const ArenaParts &parts) {
  constexpr llvm::StringLiteral Title = "IR line";
  float y = parts.ruler.max.y - picture.line;
  if (picture.widthOf(Title) < parts.gutter.width())
    picture.text(ImVec2(parts.gutter.min.x + picture.character / 2, y), Title,
                 picture.color(Meaning::Quiet));
}

ArenaStack::ArenaStack(const ArenaView &view, const Picture &picture, const ZoomView &zoom,
                       llvm::StringRef caption)
    : picture_(picture), zoom_(zoom), caption_(caption) {
  bool hasHeadings = view.functions.size() > 1;
  for (const ArenaFunction &function : view.functions)
    layouts_.emplace_back(function, zoom, layouts_.empty() ? 0 : layouts_.back().end(),
                          hasHeadings);
}

float ArenaStack::gutterWidth(float room) const {
  float width = 0;
  for (const ArenaLayout &layout : layouts_)
    width = std::max(width, gutterOf(layout).widthIn(room));
  return width;
}

float ArenaStack::headlineHeight(float width) const {
  size_t lines = 0;
  for (const ArenaLayout &layout : layouts_)
    lines = std::max(lines, arenaHeadline(layout.function(), picture_, caption_, width).size());
  return static_cast<float>(lines) * picture_.line;
}

const ArenaLayout *ArenaStack::layoutOf(BufferId buffer) const {
  for (const ArenaLayout &layout : layouts_)
    if (layout.rowOf(buffer))
      return &layout;
  return nullptr;
}

std::optional<Region> ArenaStack::regionOf(BufferId buffer) const {
  const ArenaLayout *layout = layoutOf(buffer);
  return layout ? layout->regionOf(buffer) : std::nullopt;
}

ArenaParts ArenaStack::partsOf(const Box &room, float gutterWidth, float headlineHeight) const {
  float strip = 0;
  for (const ArenaLayout &layout : layouts_)
    strip = std::max(strip, layout.stripWidth(picture_, room.width()));
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

size_t ArenaStack::middleOf(const Box &plot) const {
  double row = zoom_.y.unit((plot.min.y + plot.max.y) / 2);
  size_t index = 0;
  while (index + 1 < layouts_.size() && layouts_[index].end() <= row)
    ++index;
  return index;
}

// The last reaches to the bottom.
Box ArenaStack::rowsOf(size_t index, const Box &plot) const {
  Box rows = plot;
  if (index > 0)
    rows.min.y = std::clamp(zoom_.pixelY(layouts_[index - 1].end()), plot.min.y, plot.max.y);
  if (index + 1 < layouts_.size())
    rows.max.y = std::clamp(zoom_.pixelY(layouts_[index].end()), plot.min.y, plot.max.y);
  return rows;
}

PointGutter ArenaStack::gutterOf(const ArenaLayout &layout) const {
  const ArenaFunction &function = layout.function();
  return {picture_, zoom_.y, layout.pointRow(), function.points, function.irLines, function.loops};
}

// The program points, and a mark where most is live.
void ArenaStack::drawRows(const ArenaLayout &layout, const ArenaParts &parts,
                          const ShownPick &shown) const {
  const Picture &p = picture_;
  gutterOf(layout).draw(parts.gutter, shown.stmt(), parts.plot.max.x);
  if (layout.function().pointCount == 0)
    return;
  double row = layout.pointRow() + layout.function().peakPoint;
  float y = zoom_.pixelY(row), left = parts.plot.min.x;
  float bottom = std::max(zoom_.pixelY(row + 1), y + 2 * p.scale);
  p.fill({ImVec2(left - 3 * p.scale, y), ImVec2(left, bottom)}, p.color(Meaning::HighWater));
}

void ArenaStack::draw(const ArenaParts &parts, const ShownPick &shown) const {
  const Picture &p = picture_;
  const Box &plot = parts.plot;
  std::vector<ByteRuler> rulers;
  rulers.reserve(layouts_.size());
  for (const ArenaLayout &layout : layouts_)
    rulers.emplace_back(p, zoom_.x, parts.ruler.min.x, parts.ruler.max.x,
                        arenaRules(layout.function()));
  size_t middle = middleOf(plot);
  p.clip({parts.headline.min, ImVec2(parts.headline.max.x, parts.ruler.max.y)});
  drawArenaHeadline(layouts_[middle].function(), p, parts.headline, caption_);
  rulers[middle].drawAbove(parts.ruler.min.y);
  drawGutterTitle(p, parts);
  p.unclip();
  p.clip({parts.gutter.min, plot.max});
  p.fill(plot, p.color(Meaning::Raised, 0.4F));
  for (size_t i = 0; i != layouts_.size(); ++i) {
    rulers[i].drawUnder(rowsOf(i, plot));
    drawRows(layouts_[i], parts, shown);
  }
  p.unclip();
  p.clip(plot);
  std::vector<std::vector<ArenaBoxName>> names;
  names.reserve(layouts_.size());
  for (const ArenaLayout &layout : layouts_)
    names.push_back(drawArenaBoxes(layout, p, plot, shown));
  for (size_t i = 0; i != layouts_.size(); ++i)
    rulers[i].drawOver(rowsOf(i, plot));
  for (size_t i = 0; i != layouts_.size(); ++i) {
    drawArenaNames(layouts_[i], p, names[i]);
    drawArenaPointers(layouts_[i], p, plot, shown);
  }
  p.unclip();
  p.clip(parts.area);
  for (const ArenaLayout &layout : layouts_) {
    drawArenaStrip(layout, p, parts.strip, shown);
    if (std::optional<Box> heading = layout.heading(parts.area, p.line))
      drawArenaHeading(layout.function(), p, *heading);
  }
  p.unclip();
}

void ArenaStack::notePlaces(Places &places, const ArenaParts &parts) const {
  for (const ArenaLayout &layout : layouts_)
    noteArenaPlaces(layout, parts.plot, places);
}

Pick ArenaStack::bufferAt(const PanelContext &context, const ArenaParts &parts) const {
  Pick pick;
  for (const ArenaLayout &layout : layouts_)
    if (pick.isEmpty())
      pick = arenaBufferAt(layout, context, parts.plot, zoom_.mouse());
  return pick;
}

Pick ArenaStack::pickAt(const PanelContext &context, const ArenaParts &parts) const {
  Pick pick = bufferAt(context, parts);
  for (const ArenaLayout &layout : layouts_) {
    if (pick.isEmpty())
      pick = gutterOf(layout).pickAt(parts.gutter, zoom_.mouse());
    if (pick.isEmpty())
      pick = arenaOutsideAt(layout, context, picture_, parts.strip, zoom_.mouse());
  }
  return pick;
}

} // namespace tilescope
