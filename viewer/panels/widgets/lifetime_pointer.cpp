// What is under the pointer of lifetime_lanes.h.
#include "viewer/panels/widgets/lifetime_lanes.h"
#include "viewer/panels/widgets/point_gutter.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace tilescope {

Pick LifetimeLanes::pickAt(const PanelContext &context, const Box &gutter, const Box &plot,
                           ImVec2 mouse) const {
  double row = std::floor(zoom_.y.unit(mouse.y) - laneRow());
  double point = std::floor(zoom_.x.unit(mouse.x));
  bool isLane = row >= 0 && row < static_cast<double>(function_.lanes.size());
  bool isPoint =
      plot.contains(mouse) && point >= 0 && point < static_cast<double>(function_.points.size());
  if (!isLane || !(isPoint || gutter.contains(mouse)))
    return {};
  const LifetimeLane &lane = function_.lanes[static_cast<size_t>(row)];
  Pick pick = pickOf(context, lane.buffer);
  std::optional<ProgramPoint> at;
  if (isPoint) {
    at = static_cast<ProgramPoint>(point);
    if (llvm::binary_search(lane.defs, *at) || llvm::binary_search(lane.uses, *at)) {
      pick.stmt = function_.points[*at].stmt;
      pick.sourceLine = function_.points[*at].sourceLine;
    }
  }
  showDetails(picture_.theme, detailsOf(lane, at),
              at ? function_.points[*at].sourceLine : KernelLine());
  return pick;
}

std::vector<std::string> LifetimeLanes::detailsOf(const LifetimeLane &lane,
                                                  std::optional<ProgramPoint> point) const {
  std::vector<std::string> lines{lane.name + "  " + lane.type};
  lines.push_back("live at points " + livesText(lane.live));
  if (!point)
    return lines;
  const TracePoint &at = function_.points[*point];
  bool isDef = llvm::binary_search(lane.defs, *point),
       isUse = llvm::binary_search(lane.uses, *point);
  std::string state = isDef && isUse                             ? "read and written"
                      : llvm::binary_search(lane.copies, *point) ? "an asynchronous copy starts"
                      : isDef                                    ? "written"
                      : isUse                                    ? "read"
                      : contains(lane.inFlight, *point)          ? "a copy is in flight"
                      : contains(lane.live, *point)              ? "holds its value"
                                                                 : "dead";
  lines.push_back(placeText(*point, 0, at.sourceLine) + ": " + state);
  lines.push_back(at.text);
  return lines;
}

} // namespace tilescope
