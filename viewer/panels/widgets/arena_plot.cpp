#include "viewer/panels/widgets/arena_plot.h"

#include "viewer/panels/widgets/column_bands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr float LeastPixels = 3; // narrower boxes are merged
constexpr float LeastHeightPixels = 2;
constexpr float LeastShownPixels = 4; // of what is pinned or hovered
constexpr int64_t MostVersions = 256;
constexpr size_t MostSteps = 4;

} // namespace

double ArenaPlot::end() const { return pointRow() + rowCount() + 0.5; }

// Of a small arena there are dozens of steps: those next to its height.
std::vector<ByteRule> ArenaPlot::rules() const {
  std::vector<ByteRule> rules;
  bool isOver = function_.capacityBytes > 0 && function_.peakBytes > function_.capacityBytes;
  rules.push_back({function_.peakBytes, "peak " + kibText(function_.peakBytes),
                   "most that is used: " + groupedNumber(function_.peakBytes) + " bytes",
                   isOver ? Meaning::Bad : Meaning::HighWater, true});
  if (function_.capacityBytes > 0)
    rules.push_back({function_.capacityBytes, "capacity " + kibText(function_.capacityBytes),
                     "a block may use " + groupedNumber(function_.capacityBytes) + " bytes",
                     Meaning::Capacity, true});
  std::vector<OccupancyStep> steps = function_.steps;
  auto distance = [&](const OccupancyStep &step) {
    return std::abs(step.dynamicBytes - function_.peakBytes);
  };
  llvm::stable_sort(steps, [&](const OccupancyStep &a, const OccupancyStep &b) {
    return distance(a) < distance(b);
  });
  for (const OccupancyStep &step : llvm::ArrayRef(steps).take_front(MostSteps))
    if (step.dynamicBytes != function_.capacityBytes) {
      std::string blocks =
          llvm::formatv("{0} block{1}/SM", step.blocks, step.blocks == 1 ? "" : "s");
      rules.push_back({step.dynamicBytes, blocks,
                       blocks + " up to " + groupedNumber(step.dynamicBytes) + " bytes",
                       Meaning::Occupancy, false});
    }
  return rules;
}

std::optional<uint32_t> ArenaPlot::rowOf(BufferId buffer) const {
  for (uint32_t row = 0; row != function_.buffers.size(); ++row)
    if (function_.buffers[row].buffer == buffer)
      return row;
  return std::nullopt;
}

std::optional<Region> ArenaPlot::regionOf(BufferId buffer) const {
  std::optional<uint32_t> row = buffer.isValid() ? rowOf(buffer) : std::nullopt;
  if (!row || function_.buffers[*row].live.empty())
    return std::nullopt;
  const ByteRange &bytes = function_.ranges[*row];
  const std::vector<LiveInterval> &live = function_.buffers[*row].live;
  return Region{{static_cast<double>(bytes.begin), static_cast<double>(bytes.end)},
                {pointRow() + live.front().begin, pointRow() + live.back().end}};
}

Box ArenaPlot::boxOf(const ArenaBox &box) const {
  const ByteRange &bytes = function_.ranges[box.row];
  return {
      ImVec2(zoom_.pixelX(static_cast<double>(bytes.begin)), zoom_.pixelY(pointRow() + box.begin)),
      ImVec2(zoom_.pixelX(static_cast<double>(bytes.end)), zoom_.pixelY(pointRow() + box.end))};
}

// -------------------------------------------------------------------------------------

Emphasis ArenaPlot::emphasisOf(uint32_t row, const ShownPick &shown,
                               std::optional<uint32_t> shownRow) const {
  Emphasis emphasis = shown.emphasisOf(function_.buffers[row].buffer);
  if (emphasis != Emphasis::Dimmed)
    return emphasis;
  if (!shownRow)
    return Emphasis::None;
  const ByteRange &a = function_.ranges[row], &b = function_.ranges[*shownRow];
  return a.begin < b.end && b.begin < a.end ? Emphasis::Shares : Emphasis::Dimmed;
}

// Flat boxes are drawn where their left edge is not drawn yet, narrow ones merged.
std::vector<ArenaPlot::BoxName> ArenaPlot::drawBuffers(const Box &plot,
                                                       const ShownPick &shown) const {
  std::vector<BoxName> names;
  std::optional<uint32_t> shownRow =
      shown.buffer().isValid() ? rowOf(shown.buffer()) : std::nullopt;
  std::optional<uint32_t> pinnedRow =
      shown.pinnedBuffer().isValid() ? rowOf(shown.pinnedBuffer()) : std::nullopt;
  Stretch points = zoom_.y.shown(), bytes = zoom_.x.shown();
  double byteWidth = zoom_.x.unitPixels(), pointHeight = zoom_.y.unitPixels();
  double left = zoom_.x.pixel(0), top = zoom_.y.pixel(pointRow());
  float scale = picture_.scale;
  double least = LeastPixels * scale;
  ColumnBands bands(picture_, plot);
  std::vector<float> drawnTo(static_cast<size_t>(plot.width()) + 2, plot.min.y - 1);
  std::vector<std::pair<Box, Emphasis>> marked;
  for (const ArenaBox &box : function_.boxes) {
    if (pointRow() + box.begin >= points.end)
      break;
    const ByteRange &range = function_.ranges[box.row];
    if (pointRow() + box.end <= points.begin ||
        !bytes.meets(static_cast<double>(range.begin), static_cast<double>(range.end)))
      continue;
    bool isShown = box.row == shownRow || box.row == pinnedRow;
    if (static_cast<double>(range.end - range.begin) * byteWidth < least && !isShown) {
      auto y = static_cast<float>(top + box.begin * pointHeight);
      bands.add(static_cast<float>(left + static_cast<double>(range.begin) * byteWidth), y,
                y + static_cast<float>((box.end - box.begin) * pointHeight), box.row);
      continue;
    }
    Box at = boxOf(box);
    if ((box.end - box.begin) * pointHeight < least / 2 && !isShown) {
      auto column = static_cast<size_t>(std::clamp(at.min.x - plot.min.x, 0.0F, plot.width()));
      if (at.max.y <= drawnTo[column] + 1)
        continue;
      drawnTo[column] = at.max.y;
    }
    at.max.x = std::max(at.max.x, at.min.x + (isShown ? LeastShownPixels : LeastPixels) * scale);
    at.max.y =
        std::max(at.max.y, at.min.y + (isShown ? LeastShownPixels : LeastHeightPixels) * scale);
    Emphasis emphasis = emphasisOf(box.row, shown, shownRow);
    drawBox(box.row, at, emphasis, shown);
    if (std::min(at.width(), at.height()) >= picture_.line * 0.9F) // else no name fits
      names.push_back({box.row, at, emphasis == Emphasis::Dimmed});
    if (emphasis != Emphasis::None && emphasis != Emphasis::Dimmed)
      marked.push_back({at, emphasis});
  }
  bands.draw([&](uint32_t row) { return function_.buffers[row].hueDegrees; });
  for (const auto &[at, emphasis] : marked)
    drawEmphasis(picture_, at, emphasis);
  drawConflicts();
  return names;
}

void ArenaPlot::drawBox(uint32_t index, const Box &at, Emphasis emphasis,
                        const ShownPick &shown) const {
  const Picture &p = picture_;
  const ArenaRow &row = function_.buffers[index];
  float alpha = emphasis == Emphasis::Dimmed ? Theme::DimmedAlpha : 1;
  if (alpha < 1)
    p.fill(at, p.color(Meaning::Background)); // what lies under it does not shine through
  p.fill(at, p.theme.bufferFill(row.hueDegrees, alpha));
  if (at.width() < LeastPixels * p.scale || at.height() < LeastPixels * p.scale)
    return;
  drawPadding(row, at);
  ImU32 line = p.theme.bufferLine(row.hueDegrees, alpha);
  drawVersions(row, at, emphasis == Emphasis::Dimmed, shown);
  if (!row.viewOf.empty())
    p.dashedOutline(at, line);
  else
    p.outline(at, line);
}

void ArenaPlot::drawVersions(const ArenaRow &row, const Box &at, bool isDimmed,
                             const ShownPick &shown) const {
  const Picture &p = picture_;
  ImU32 line = p.theme.bufferLine(row.hueDegrees, isDimmed ? Theme::DimmedAlpha : 1);
  ImU32 text = isDimmed ? p.color(Meaning::Quiet) : p.theme.bufferText(row.hueDegrees);
  if (row.versions < 2 || row.versions > MostVersions || row.strideBytes <= 0)
    return;
  double width = static_cast<double>(row.strideBytes) * zoom_.x.unitPixels();
  if (width < LeastPixels * p.scale)
    return;
  for (int64_t index = 0; index != row.versions; ++index) {
    auto left = zoom_.pixelX(static_cast<double>(row.offsetBytes + index * row.strideBytes));
    Box cell{ImVec2(left, at.min.y), ImVec2(left + static_cast<float>(width), at.max.y)};
    if (index > 0)
      p.vertical(left, at.min.y, at.max.y, line);
    Emphasis emphasis = shown.emphasisOf(row.buffer, index);
    if (emphasis != Emphasis::None) {
      p.fill(cell, p.theme.bufferLine(row.hueDegrees, 0.35F));
      drawEmphasis(p,
                   {ImVec2(cell.min.x + 3 * p.scale, cell.min.y + 3 * p.scale),
                    ImVec2(cell.max.x - 3 * p.scale, cell.max.y - 3 * p.scale)},
                   emphasis);
    }
    if (at.height() < 3.4F * p.line)
      continue; // the name takes the room
    cell.min.x += 7 * p.scale;
    cell.min.y += 6 * p.scale;
    cell.max.y = cell.min.y + p.line;
    std::string name = "[" + std::to_string(index) + "]";
    if (cell.width() > p.widthOf(name))
      p.label(cell, name, text);
  }
}

void ArenaPlot::drawPadding(const ArenaRow &row, const Box &at) const {
  if (row.paddingBytes <= 0)
    return;
  float left = zoom_.pixelX(static_cast<double>(row.offsetBytes - row.paddingBytes));
  picture_.hatch({ImVec2(left, at.min.y), ImVec2(at.min.x, at.max.y)},
                 picture_.color(Meaning::Padding));
}

void ArenaPlot::drawConflicts() const {
  const Picture &p = picture_;
  for (const ArenaConflict &conflict : function_.conflicts) {
    Box box{ImVec2(zoom_.pixelX(static_cast<double>(conflict.beginBytes)),
                   zoom_.pixelY(pointRow() + conflict.points.begin)),
            ImVec2(zoom_.pixelX(static_cast<double>(conflict.endBytes)),
                   zoom_.pixelY(pointRow() + conflict.points.end))};
    box.max.x = std::max(box.max.x, box.min.x + 2 * p.scale);
    box.max.y = std::max(box.max.y, box.min.y + 2 * p.scale);
    p.fill(box, p.color(Meaning::BadFill));
    p.outline(box, p.color(Meaning::Bad), 2);
  }
}

} // namespace tilescope
