#include "viewer/panels/widgets/lifetime_lanes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

namespace tilescope {

namespace {

constexpr int MostDepth = 3;           // deeper loops share a row
constexpr float MarkPixels = 4;        // half of a mark's width
constexpr float LeastMarkDistance = 3; // closer marks are merged

constexpr LegendItem Legend[] = {{"written", drawLegendMark<AccessMark::Fill>},
                                 {"copy starts", drawLegendMark<AccessMark::Copy>},
                                 {"read", drawLegendMark<AccessMark::Read>},
                                 {"both", drawLegendMark<AccessMark::Both>},
                                 {"in flight", drawLegendHatch},
                                 {"live", drawLegendFill}};

// The intervals that may be seen: they are sorted and disjoint.
llvm::ArrayRef<LiveInterval> seenOf(const std::vector<LiveInterval> &all, Stretch seen) {
  const auto *begin = std::lower_bound(
      all.data(), all.data() + all.size(), seen.begin,
      [](const LiveInterval &interval, double point) { return interval.end < point; });
  const auto *end = std::lower_bound(
      begin, all.data() + all.size(), seen.end,
      [](const LiveInterval &interval, double point) { return interval.begin < point; });
  return {begin, end};
}

} // namespace

llvm::ArrayRef<LegendItem> LifetimeLanes::legend() { return Legend; }

LifetimeLanes::LifetimeLanes(const LifetimeFunction &function, const Picture &picture,
                             const ZoomView &zoom, double first)
    : function_(function), picture_(picture), zoom_(zoom), first_(first) {
  for (const TraceLoop &loop : function.loops)
    depth_ = std::clamp(loop.depth + 1, depth_, MostDepth);
}

float LifetimeLanes::gutterWidth(float room) const {
  size_t longest = 4;
  for (const LifetimeLane &lane : function_.lanes)
    longest = std::max(longest, lane.name.size());
  return std::min((static_cast<float>(longest) + 2) * picture_.character, room * 0.4F);
}

std::optional<Region> LifetimeLanes::regionOf(BufferId buffer) const {
  for (size_t i = 0; i != function_.lanes.size(); ++i) {
    const LifetimeLane &lane = function_.lanes[i];
    if (!buffer.isValid() || lane.buffer != buffer || lane.live.empty())
      continue;
    double row = laneRow() + static_cast<double>(i);
    return Region{
        {static_cast<double>(lane.live.front().begin), static_cast<double>(lane.live.back().end)},
        {row - 4, row + 5}};
  }
  return std::nullopt;
}

void LifetimeLanes::draw(const Box &gutter, const Box &plot, const ShownPick &shown) const {
  drawHeading(gutter, plot, shown.stmt());
  Stretch rows = zoom_.y.shown();
  auto count = static_cast<double>(function_.lanes.size());
  auto begin = static_cast<size_t>(std::clamp(std::floor(rows.begin - laneRow()), 0.0, count));
  auto end = static_cast<size_t>(std::clamp(std::ceil(rows.end - laneRow()), 0.0, count));
  bool hasShown = regionOf(shown.buffer()).has_value();
  for (size_t i = begin; i < end; ++i) {
    Emphasis emphasis = shown.emphasisOf(function_.lanes[i].buffer);
    bool isOther = emphasis == Emphasis::Dimmed && !hasShown;
    drawLane(i, gutter, plot, isOther ? Emphasis::None : emphasis);
  }
}

void LifetimeLanes::drawHeading(const Box &gutter, const Box &plot, StmtId shown) const {
  const Picture &p = picture_;
  float top = zoom_.pixelY(first_), bottom = zoom_.pixelY(end());
  Box title{ImVec2(gutter.min.x + p.character / 2, top),
            ImVec2(plot.max.x, std::max(zoom_.pixelY(first_ + 1), top + p.line))};
  p.listing(title, function_.function, p.color(Meaning::Quiet));
  p.clip(plot);
  if (shown.isValid())
    for (size_t point = 0; point != function_.points.size(); ++point)
      if (function_.points[point].stmt == shown) {
        float left = zoom_.pixelX(static_cast<double>(point));
        float right = zoom_.pixelX(static_cast<double>(point + 1));
        p.fill({ImVec2(left, top), ImVec2(std::max(right, left + p.scale), bottom)},
               p.color(Meaning::Selected));
      }
  for (const TraceLoop &loop : function_.loops) {
    double row = first_ + 1 + std::min(loop.depth, MostDepth - 1);
    Box box{ImVec2(zoom_.pixelX(loop.begin) + p.scale, zoom_.pixelY(row)),
            ImVec2(zoom_.pixelX(loop.end) - p.scale, zoom_.pixelY(row + 1))};
    if (box.max.x < plot.min.x || box.min.x > plot.max.x || box.width() < 2)
      continue;
    ImU32 color = p.color(loop.stmt == shown ? Meaning::Accent : Meaning::Border);
    p.horizontal(box.min.x, box.max.x, box.max.y - 3 * p.scale, color);
    p.vertical(box.min.x, box.max.y - 3 * p.scale, bottom, p.color(Meaning::Faint));
    p.vertical(box.max.x, box.max.y - 3 * p.scale, bottom, p.color(Meaning::Faint));
    box.min.x = std::max(box.min.x, plot.min.x) + 2 * p.scale;
    box.max.y -= 3 * p.scale;
    for (const std::string &label : loopLabels(loop)) // the longest that fits
      if (p.widthOf(label) <= box.width()) {
        p.label(box, label, p.color(Meaning::Quiet));
        break;
      }
  }
  p.unclip();
}

void LifetimeLanes::drawLane(size_t index, const Box &gutter, const Box &plot,
                             Emphasis emphasis) const {
  const Picture &p = picture_;
  const LifetimeLane &lane = function_.lanes[index];
  double row = laneRow() + static_cast<double>(index);
  float top = zoom_.pixelY(row), bottom = std::max(zoom_.pixelY(row + 1), top + p.scale);
  bool isDimmed = emphasis == Emphasis::Dimmed;
  float alpha = isDimmed ? Theme::DimmedAlpha : 1;
  ImU32 line = p.theme.bufferLine(lane.hueDegrees, alpha);
  ImU32 fill = p.theme.bufferFill(lane.hueDegrees, alpha);
  if (emphasis == Emphasis::Pinned || emphasis == Emphasis::Hovered)
    p.fill({ImVec2(gutter.min.x, top), ImVec2(plot.max.x, bottom)},
           p.color(emphasis == Emphasis::Pinned ? Meaning::Selected : Meaning::Hovered));
  Box name{ImVec2(gutter.min.x + p.character / 2, top),
           ImVec2(gutter.max.x - p.character / 2, bottom)};
  p.listing(name, lane.name,
            isDimmed ? p.color(Meaning::Quiet) : p.theme.bufferLine(lane.hueDegrees));
  p.clip(plot);
  float inset = bottom - top > 8 * p.scale ? 3 * p.scale : 0;
  auto barOf = [&](const LiveInterval &interval) {
    float left = zoom_.pixelX(interval.begin);
    return Box{ImVec2(left, top + inset),
               ImVec2(std::max(zoom_.pixelX(interval.end), left + p.scale), bottom - inset)};
  };
  float drawnTo = plot.min.x - 1;
  for (const LiveInterval &interval : seenOf(lane.live, zoom_.x.shown())) {
    Box bar = barOf(interval);
    if (bar.max.x <= drawnTo + 0.5F)
      continue;
    drawnTo = bar.max.x;
    p.fill(bar, fill);
    if (bar.width() > 4 * p.scale && inset > 0)
      p.outline(bar, line);
    drawEmphasis(p, bar, emphasis);
  }
  if (bottom - top > 6 * p.scale) {
    for (const LiveInterval &interval : lane.inFlight)
      if (Box bar = barOf(interval); bar.max.x >= plot.min.x && bar.min.x <= plot.max.x)
        p.hatch(bar, line);
    drawMarks(lane, (top + bottom) / 2, line);
  }
  p.unclip();
}

AccessMark LifetimeLanes::markOf(const LifetimeLane &lane, ProgramPoint point) const {
  bool isDef = llvm::binary_search(lane.defs, point);
  if (isDef && llvm::binary_search(lane.uses, point))
    return AccessMark::Both;
  if (!isDef)
    return AccessMark::Read;
  return llvm::binary_search(lane.copies, point) ? AccessMark::Copy : AccessMark::Fill;
}

void LifetimeLanes::drawMarks(const LifetimeLane &lane, float y, ImU32 color) const {
  Stretch seen = zoom_.x.shown();
  for (const std::vector<ProgramPoint> *points : {&lane.uses, &lane.defs}) {
    float last = -1e9F;
    for (auto at = llvm::lower_bound(*points, static_cast<ProgramPoint>(seen.begin) - 1);
         at != points->end() && *at <= seen.end; ++at) {
      float x = zoom_.pixelX(*at + 0.5);
      if (x - last < LeastMarkDistance * picture_.scale)
        continue;
      drawAccessMark(picture_, markOf(lane, *at), ImVec2(x, y), MarkPixels * picture_.scale, color);
      last = x;
    }
  }
}

} // namespace tilescope
