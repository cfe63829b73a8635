// Lifetimes as a picture: a lane a shared buffer, program points down.
#pragma once

#include "core/exports/point_axis.h"
#include "core/trace/pass_state.h"

namespace tilescope {

struct PictureLane {
  std::string name;
  int hueDegrees = 0;
  std::vector<LiveInterval> live;
  std::vector<LiveInterval> inFlight;
  std::vector<ProgramPoint> defs;
  std::vector<ProgramPoint> uses;
};

struct LifetimesPicture {
  std::string title;
  std::vector<PictureLane> lanes;
  std::vector<PointLabel> labels; // by point
  std::vector<PointLoop> loops;
};

// A whole SVG document, the pictures one below the other; the same pictures give the same bytes.
std::string lifetimesSvg(const std::vector<LifetimesPicture> &pictures);

// Of a kernel with accesses after a pass.
LifetimesPicture lifetimesPictureOf(const PassState &state, const FunctionState &function);

} // namespace tilescope
