// The liveness gutter: which shared buffers are live at each line of the IR, and where they are
// defined and used.
//
//     point  lanes  lines
//       0    D      T.copy(Q, Q_shared)
//       1    |D     T.copy(K, K_shared)
//            ||     T.fill(scores, 0.0)         not a point: it touches no shared memory
//       2    UU     T.gemm(Q_shared, K_shared, scores)
//
// A point reaches from its line to the next line of a point, and not beyond its block. Lines count,
// not points: a role may stand above one whose points come first.
#pragma once

#include "core/trace/pass_state.h"

namespace tilescope {

// Lines [begin, end), counted from 0.
struct GutterBar {
  BufferId buffer;
  uint32_t begin = 0;
  uint32_t end = 0;
};

struct GutterMark {
  BufferId buffer;
  uint32_t line = 0;
  bool isDef = false;
  bool isUse = false;
};

// A column. Buffers share one where they are never live together; a buffer stays in its lane.
// Everything ascends; bars are disjoint.
struct GutterLane {
  std::vector<GutterBar> live;
  std::vector<GutterBar> inFlight; // asynchronous copies, within `live`
  std::vector<GutterMark> marks;   // one a line
};

struct IrGutter {
  std::string function;
  std::vector<uint32_t> lineOfPoint;
  std::vector<GutterLane> lanes;
  size_t hiddenBuffers = 0; // for which there was no lane
};

inline constexpr size_t MaxGutterLanes = 32;

// One a function with accesses.
std::vector<IrGutter> buildGutters(const PassState &state);

template <typename Archive> void fields(Archive &archive, GutterBar &bar) {
  archive("buffer", bar.buffer);
  archive.always("begin", bar.begin);
  archive.always("end", bar.end);
}

template <typename Archive> void fields(Archive &archive, GutterMark &mark) {
  archive("buffer", mark.buffer);
  archive.always("line", mark.line);
  archive("isDef", mark.isDef);
  archive("isUse", mark.isUse);
}

template <typename Archive> void fields(Archive &archive, GutterLane &lane) {
  archive("live", lane.live);
  archive("inFlight", lane.inFlight);
  archive("marks", lane.marks);
}

template <typename Archive> void fields(Archive &archive, IrGutter &gutter) {
  archive("function", gutter.function);
  archive("lineOfPoint", gutter.lineOfPoint);
  archive("lanes", gutter.lanes);
  archive("hiddenBuffers", gutter.hiddenBuffers);
}

} // namespace tilescope
