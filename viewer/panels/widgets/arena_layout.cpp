#include "viewer/panels/widgets/arena_layout.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr float ColumnLines = 1.6F; // of the strip
constexpr float MostShare = 0.35F;  // of the room, for the strip
constexpr ProgramPoint LeastPoints = 8;

} // namespace

ProgramPoint ArenaLayout::rowCount() const {
  return function_.outside.empty() ? function_.pointCount
                                   : std::max(function_.pointCount, LeastPoints);
}

double ArenaLayout::end() const { return pointRow() + rowCount() + 0.5; }

std::optional<uint32_t> ArenaLayout::rowOf(BufferId buffer) const {
  for (uint32_t row = 0; row != function_.buffers.size() && buffer.isValid(); ++row)
    if (function_.buffers[row].buffer == buffer)
      return row;
  return std::nullopt;
}

std::optional<Region> ArenaLayout::regionOf(BufferId buffer) const {
  std::optional<uint32_t> row = rowOf(buffer);
  if (!row || function_.buffers[*row].live.empty())
    return std::nullopt;
  const ByteRange &bytes = function_.ranges[*row];
  const std::vector<LiveInterval> &live = function_.buffers[*row].live;
  return Region{{static_cast<double>(bytes.begin), static_cast<double>(bytes.end)},
                {pointRow() + live.front().begin, pointRow() + live.back().end}};
}

Box ArenaLayout::boxOf(const Region &region) const {
  return {ImVec2(zoom_.pixelX(region.x.begin), zoom_.pixelY(region.y.begin)),
          ImVec2(zoom_.pixelX(region.x.end), zoom_.pixelY(region.y.end))};
}

// Boxes are sorted by where they begin.
void ArenaLayout::forSeenBoxes(llvm::function_ref<void(const ArenaBox &box)> visit) const {
  Stretch points = zoom_.y.shown(), bytes = zoom_.x.shown();
  for (const ArenaBox &box : function_.boxes) {
    if (pointRow() + box.begin >= points.end)
      break;
    const ByteRange &range = function_.ranges[box.row];
    if (pointRow() + box.end > points.begin &&
        bytes.meets(static_cast<double>(range.begin), static_cast<double>(range.end)))
      visit(box);
  }
}

Box ArenaLayout::boxOf(const ArenaBox &box) const {
  const ByteRange &bytes = function_.ranges[box.row];
  return boxOf(Region{{static_cast<double>(bytes.begin), static_cast<double>(bytes.end)},
                      {pointRow() + box.begin, pointRow() + box.end}});
}

Box ArenaLayout::boxOf(const ArenaConflict &conflict) const {
  return boxOf(
      Region{{static_cast<double>(conflict.beginBytes), static_cast<double>(conflict.endBytes)},
             {pointRow() + conflict.points.begin, pointRow() + conflict.points.end}});
}

const ArenaBox *ArenaLayout::boxAt(ImVec2 pixel) const {
  double byte = zoom_.x.unit(pixel.x), point = zoom_.y.unit(pixel.y) - pointRow();
  auto sizeOf = [&](const ArenaBox &box) {
    return function_.ranges[box.row].end - function_.ranges[box.row].begin;
  };
  const ArenaBox *found = nullptr;
  for (const ArenaBox &box : function_.boxes) {
    const ByteRange &range = function_.ranges[box.row];
    if (box.begin > point)
      break;
    if (point < box.end && static_cast<double>(range.begin) <= byte &&
        byte < static_cast<double>(range.end) && (!found || sizeOf(box) < sizeOf(*found)))
      found = &box;
  }
  return found;
}

int64_t ArenaLayout::versionAt(const ArenaRow &row, float pixelX) const {
  if (row.versions <= 1 || row.strideBytes <= 0)
    return -1;
  auto byte = static_cast<int64_t>(zoom_.x.unit(pixelX));
  return std::min((byte - row.offsetBytes) / row.strideBytes, row.versions - 1);
}

std::optional<Box> ArenaLayout::heading(const Box &area, float least) const {
  if (!hasHeading_)
    return std::nullopt;
  Box box{ImVec2(area.min.x, zoom_.pixelY(first_)), ImVec2(area.max.x, zoom_.pixelY(pointRow()))};
  box.max.y = std::max(box.max.y, box.min.y + least);
  return box;
}

// ---- The strip ----------------------------------------------------------------------------------

int ArenaLayout::stripColumns() const {
  int columns = 0;
  for (const OutsideBox &box : function_.outside)
    columns = std::max(columns, box.column + 1);
  return columns;
}

float ArenaLayout::stripWidth(const Picture &picture, float room) const {
  auto columns = static_cast<float>(stripColumns());
  float gap = picture.character;
  return columns == 0 ? 0 : std::min(gap + columns * ColumnLines * picture.line, MostShare * room);
}

std::vector<LiveInterval> ArenaLayout::livesOf(const OutsideBox &outside) const {
  return outside.live.empty() ? std::vector<LiveInterval>{{0, rowCount()}} : outside.live;
}

Box ArenaLayout::boxOf(const Picture &picture, const OutsideBox &outside,
                       const LiveInterval &interval, const Box &strip) const {
  float gap = picture.character;
  float width = (strip.width() - gap) / static_cast<float>(std::max(stripColumns(), 1));
  float left = strip.min.x + gap + width * static_cast<float>(outside.column);
  return {ImVec2(left, zoom_.pixelY(pointRow() + interval.begin)),
          ImVec2(left + std::max(width - 2 * picture.scale, picture.scale),
                 zoom_.pixelY(pointRow() + interval.end))};
}

} // namespace tilescope
