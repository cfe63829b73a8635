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
constexpr int64_t MostVersions = 256;

} // namespace

double ArenaPlot::end() const {
  return pointRow() + function_.pointCount + static_cast<double>(outside().size()) + 0.5;
}

std::vector<ByteRule> ArenaPlot::rules() const {
  std::vector<ByteRule> rules;
  for (const OccupancyStep &step : function_.steps)
    if (step.dynamicBytes != function_.capacityBytes)
      rules.push_back({step.dynamicBytes, llvm::formatv("{0} blocks/SM", step.blocks).str(),
                       Meaning::Occupancy, false});
  bool isOver = function_.capacityBytes > 0 && function_.peakBytes > function_.capacityBytes;
  rules.push_back({function_.peakBytes, "peak " + kibText(function_.peakBytes),
                   isOver ? Meaning::Bad : Meaning::HighWater, true});
  if (function_.capacityBytes > 0)
    rules.push_back({function_.capacityBytes, "capacity " + kibText(function_.capacityBytes),
                     Meaning::Capacity, true});
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

ArenaPlot::Emphasis ArenaPlot::emphasisOf(uint32_t row, std::optional<uint32_t> shown) const {
  if (!shown)
    return Emphasis::None;
  if (row == *shown)
    return Emphasis::Shown;
  const ByteRange &a = function_.ranges[row], &b = function_.ranges[*shown];
  return a.begin < b.end && b.begin < a.end ? Emphasis::Shares : Emphasis::Dimmed;
}

// Flat boxes are drawn where their left edge is not drawn yet, narrow ones merged.
void ArenaPlot::drawBuffers(const Box &plot, const ShownPick &shown) const {
  std::optional<uint32_t> shownRow =
      shown.buffer().isValid() ? rowOf(shown.buffer()) : std::nullopt;
  Stretch points = zoom_.y.shown(), bytes = zoom_.x.shown();
  double byteWidth = zoom_.x.unitPixels(), pointHeight = zoom_.y.unitPixels();
  double left = zoom_.x.pixel(0), top = zoom_.y.pixel(pointRow());
  double least = LeastPixels * picture_.scale;
  ColumnBands bands(picture_, plot);
  std::vector<float> drawnTo(static_cast<size_t>(plot.width()) + 2, plot.min.y - 1);
  for (const ArenaBox &box : function_.boxes) {
    if (pointRow() + box.begin >= points.end)
      break;
    const ByteRange &range = function_.ranges[box.row];
    if (pointRow() + box.end <= points.begin ||
        !bytes.meets(static_cast<double>(range.begin), static_cast<double>(range.end)))
      continue;
    bool isShown = box.row == shownRow;
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
    at.max.x = std::max(at.max.x, at.min.x + picture_.scale);
    at.max.y = std::max(at.max.y, at.min.y + picture_.scale);
    drawBox(box, at, emphasisOf(box.row, shownRow), shown.version());
  }
  bands.draw([&](uint32_t row) { return function_.buffers[row].hueDegrees; });
  drawConflicts();
}

void ArenaPlot::drawBox(const ArenaBox &box, const Box &at, Emphasis emphasis,
                        int64_t version) const {
  const Picture &p = picture_;
  const ArenaRow &row = function_.buffers[box.row];
  float alpha = emphasis == Emphasis::Dimmed ? 0.35F : 1;
  if (alpha < 1)
    p.fill(at, p.color(Meaning::Background)); // what lies under it does not shine through
  p.fill(at, p.theme.bufferFill(row.hueDegrees, alpha));
  if (at.width() < LeastPixels * p.scale || at.height() < LeastPixels * p.scale)
    return;
  drawPadding(row, at);
  ImU32 line = p.theme.bufferLine(row.hueDegrees, alpha);
  drawVersions(row, at, line, emphasis == Emphasis::Shown ? version : -1);
  if (!row.viewOf.empty())
    p.dashedOutline(at, line);
  else
    p.outline(at, line);
  if (emphasis == Emphasis::Shown)
    p.outline({ImVec2(at.min.x + p.scale, at.min.y + p.scale),
               ImVec2(at.max.x - p.scale, at.max.y - p.scale)},
              p.color(Meaning::Accent), at.width() > 12 * p.scale ? 3 : 1);
  if (emphasis == Emphasis::Shares)
    p.dashedOutline({ImVec2(at.min.x + 2 * p.scale, at.min.y + 2 * p.scale),
                     ImVec2(at.max.x - 2 * p.scale, at.max.y - 2 * p.scale)},
                    p.color(Meaning::Accent));
  // What is seen of the box carries its name.
  Box seen{ImVec2(std::max(at.min.x, p.list->GetClipRectMin().x) + 4 * p.scale,
                  std::max(at.min.y, p.list->GetClipRectMin().y)),
           ImVec2(std::min(at.max.x, p.list->GetClipRectMax().x) - 4 * p.scale,
                  std::min(at.max.y, p.list->GetClipRectMax().y))};
  ImU32 text = p.theme.bufferLine(row.hueDegrees, emphasis == Emphasis::Dimmed ? 0.6F : 1);
  if (seen.width() < std::min(p.widthOf(row.name), 6 * p.character) &&
      seen.height() > seen.width()) {
    seen.min.x -= 4 * p.scale;
    seen.max.x += 4 * p.scale;
    p.uprightLabel(seen, row.name, text);
    return;
  }
  std::string range = kibText(row.sizeBytes);
  if (seen.height() < 2.4F * p.line || p.widthOf(range) > seen.width()) {
    p.centeredLabel(seen, row.name, text);
    return;
  }
  float middle = (seen.min.y + seen.max.y) / 2;
  float half = std::min(p.widthOf(row.name), seen.width()) / 2 + p.scale;
  float center = (seen.min.x + seen.max.x) / 2;
  if (row.versions > 1) { // over the lines between versions
    Box patch{ImVec2(center - half, middle - p.line), ImVec2(center + half, middle + p.line)};
    p.fill(patch, p.color(Meaning::Background));
    p.fill(patch, p.theme.bufferFill(row.hueDegrees, alpha));
  }
  p.centeredLabel({ImVec2(seen.min.x, middle - p.line), ImVec2(seen.max.x, middle)}, row.name,
                  text);
  p.centeredLabel({ImVec2(seen.min.x, middle), ImVec2(seen.max.x, middle + p.line)}, range, text);
}

void ArenaPlot::drawVersions(const ArenaRow &row, const Box &at, ImU32 color,
                             int64_t version) const {
  const Picture &p = picture_;
  if (row.versions < 2 || row.versions > MostVersions || row.strideBytes <= 0)
    return;
  double width = static_cast<double>(row.strideBytes) * zoom_.x.unitPixels();
  if (width < LeastPixels * p.scale)
    return;
  for (int64_t index = 0; index != row.versions; ++index) {
    auto left = zoom_.pixelX(static_cast<double>(row.offsetBytes + index * row.strideBytes));
    Box cell{ImVec2(left, at.min.y), ImVec2(left + static_cast<float>(width), at.max.y)};
    if (index > 0)
      p.vertical(left, at.min.y, at.max.y, color);
    if (index == version)
      p.outline(cell, p.color(Meaning::Accent), 2);
    if (at.height() < 3.4F * p.line)
      continue; // the name takes the room
    cell.min.x += 5 * p.scale;
    cell.min.y += 3 * p.scale;
    cell.max.y = cell.min.y + p.line;
    if (cell.width() > p.character * 4)
      p.label(cell, "[" + std::to_string(index) + "]", color);
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
