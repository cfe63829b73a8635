// Who made a trace.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

// Recorded from another compiler; what it leaves out `completeForeign` adds (foreign_trace.h).
inline bool isForeign(const TraceHeader &header) { return !header.compiler.empty(); }

// Made by `import`: a plan without a kernel, for no target and by no pass.
inline bool isPlanAlone(const TraceHeader &header) {
  return !isForeign(header) && header.pipeline.empty() && header.target.empty();
}

} // namespace tilescope
