#include "core/exports/lifetimes_svg.h"

#include "core/support/colour.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr double LaneGap = 8;
constexpr double Margin = 12;
constexpr double LegendHeight = 26;

double laneWidth(const PictureLane &lane) { return std::max(36.0, widthOf(lane.name) + 10); }

// Definitions are full, uses outlined, points in flight hatched by their lighter colour.
void drawLane(const PictureLane &lane, const PointAxis &axis, double x, double top,
              SvgWriter &svg) {
  double width = laneWidth(lane), bar = 14, left = x + width / 2 - bar / 2;
  std::string edge = toHex(fromHsl(lane.hueDegrees, 50, 35));
  auto box = [&](const LiveInterval &interval, const Rgb &fill) {
    double y = top + axis.y(interval.begin);
    svg.box({left, y, bar, top + axis.y(interval.end) - y},
            llvm::formatv("fill=\"{0}\" stroke=\"{1}\"", toHex(fill), edge).str());
  };
  svg.beginGroup(lane.name);
  svg.text(x + width / 2, top - 6, lane.name, "class=\"middle\"");
  for (const LiveInterval &interval : lane.live)
    box(interval, paperFill(lane.hueDegrees));
  for (const LiveInterval &interval : lane.inFlight)
    box(interval, fromHsl(lane.hueDegrees, 65, 90));
  auto mark = [&](ProgramPoint point, const char *letter) {
    double row = axis.y(point + 1) - axis.y(point);
    if (row >= 12)
      svg.text(left + bar / 2, top + axis.y(point) + 12, letter, "class=\"middle name\"");
    else
      svg.line(left - 3, top + axis.y(point), left + bar + 3, top + axis.y(point),
               "stroke=\"" + edge + "\"");
  };
  for (ProgramPoint point : lane.defs)
    mark(point, std::binary_search(lane.uses.begin(), lane.uses.end(), point) ? "X" : "D");
  for (ProgramPoint point : lane.uses)
    if (!std::binary_search(lane.defs.begin(), lane.defs.end(), point))
      mark(point, "U");
  svg.endGroup();
}

SvgDrawing drawLifetimes(const LifetimesPicture &picture) {
  PointAxis axis;
  axis.labels = picture.labels;
  axis.loops = picture.loops;
  axis.count = static_cast<ProgramPoint>(picture.labels.size());
  double top = HeadingHeight + 10, right = axis.width() + LaneGap;
  for (const PictureLane &lane : picture.lanes)
    right += laneWidth(lane) + LaneGap;
  double width = std::max(right + Margin, 420.0);
  SvgWriter svg;
  drawHeading(picture.title, "D written, U read, X both; light: a copy is in flight", width, svg);
  axis.draw(top + LegendHeight - 10, right, svg);
  double x = axis.width() + LaneGap;
  for (const PictureLane &lane : picture.lanes) {
    drawLane(lane, axis, x, top + LegendHeight - 10, svg);
    x += laneWidth(lane) + LaneGap;
  }
  return {width, top + LegendHeight + axis.height() + Margin, svg.body()};
}

} // namespace

std::string lifetimesSvg(const std::vector<LifetimesPicture> &pictures) {
  std::vector<SvgDrawing> drawings(pictures.size());
  std::transform(pictures.begin(), pictures.end(), drawings.begin(), drawLifetimes);
  return pictureDocument(std::move(drawings), "");
}

} // namespace tilescope
