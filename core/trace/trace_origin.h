// Who made a trace.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

// Recorded from another compiler; what it leaves out `completeForeign` adds (foreign_trace.h).
inline bool isForeign(const TraceHeader &header) { return !header.compiler.empty(); }

// Whether its pipelined loops are recorded: those of other compilers are from format 1.6 on.
inline bool hasPipelines(const TraceHeader &header) {
  return !isForeign(header) || header.major > 1 || header.minor >= 6;
}

// Made by `import`: a plan without a kernel, for no target and by no pass.
inline bool isPlanAlone(const TraceHeader &header) {
  return !isForeign(header) && header.pipeline.empty() && header.target.empty();
}

} // namespace tilescope
