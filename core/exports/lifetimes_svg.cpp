#include "core/exports/lifetimes_svg.h"

#include "core/support/colour.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr double LaneGap = 8;
constexpr double LegendHeight = 26;
constexpr double LeastLane = 36;
// Wider than this, names stand upright, so that many lanes stay side by side on a screen.
constexpr double MostLanesWidth = 900;
constexpr size_t MaxName = 40; // characters

struct LaneNames {
  bool areUpright = false;
  double height = 0; // above the lanes

  explicit LaneNames(const std::vector<PictureLane> &lanes) {
    double width = 0, longest = 0;
    for (const PictureLane &lane : lanes) {
      width += widthAcross(lane) + LaneGap;
      longest = std::max(longest, widthOf(clipName(lane.name, MaxName)));
    }
    areUpright = width > MostLanesWidth;
    height = areUpright ? longest : 0;
  }

  double widthOfLane(const PictureLane &lane) const {
    return areUpright ? LeastLane : widthAcross(lane);
  }

  void draw(const PictureLane &lane, double middle, double top, SvgWriter &svg) const {
    std::string name = clipName(lane.name, MaxName);
    if (areUpright)
      svg.verticalText(middle + 4, top - 6 - widthOf(name) / 2, name);
    else
      svg.text(middle, top - 6, name, "class=\"middle\"");
  }

private:
  static double widthAcross(const PictureLane &lane) {
    return std::max(LeastLane, widthOf(clipName(lane.name, MaxName)) + 10);
  }
};

// Definitions are full, uses outlined, points in flight hatched by their lighter colour.
void drawLane(const PictureLane &lane, const PointAxis &axis, double middle, double top,
              SvgWriter &svg) {
  double bar = 14, left = middle - bar / 2;
  std::string edge = toHex(fromHsl(lane.hueDegrees, 50, 35));
  auto box = [&](const LiveInterval &interval, const Rgb &fill) {
    double y = top + axis.y(interval.begin);
    svg.box({left, y, bar, top + axis.y(interval.end) - y},
            llvm::formatv("fill=\"{0}\" stroke=\"{1}\"", toHex(fill), edge).str());
  };
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
}

SvgDrawing drawLifetimes(const LifetimesPicture &picture) {
  PointAxis axis;
  axis.labels = picture.labels;
  axis.loops = picture.loops;
  axis.count = static_cast<ProgramPoint>(picture.labels.size());
  LaneNames names(picture.lanes);
  double top = HeadingHeight + names.height + LegendHeight, right = axis.width() + LaneGap;
  for (const PictureLane &lane : picture.lanes)
    right += names.widthOfLane(lane) + LaneGap;
  double width = std::max(right + Margin, 420.0);
  SvgWriter svg;
  drawHeading(picture.title, "D written, U read, X both; light: a copy is in flight", width, svg);
  axis.draw(top, right, svg);
  double x = axis.width() + LaneGap;
  for (const PictureLane &lane : picture.lanes) {
    double middle = x + names.widthOfLane(lane) / 2;
    svg.beginGroup(lane.name);
    names.draw(lane, middle, top, svg);
    drawLane(lane, axis, middle, top, svg);
    svg.endGroup();
    x += names.widthOfLane(lane) + LaneGap;
  }
  return {width, top + 10 + axis.height() + Margin, svg.body()};
}

} // namespace

std::string lifetimesSvg(const std::vector<LifetimesPicture> &pictures) {
  std::vector<SvgDrawing> drawings(pictures.size());
  std::transform(pictures.begin(), pictures.end(), drawings.begin(), drawLifetimes);
  return pictureDocument(std::move(drawings), "");
}

} // namespace tilescope
