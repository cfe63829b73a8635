// Traces that were recorded from another compiler. They say what a program does and where its
// buffers lie: buffers, AccessPrograms, offsets. What follows from that is computed here, by the
// same code as for our own compiles: lifetimes, previews of the plan, the least height, verdicts.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

// Completes a trace that is foreign; any other is left alone. What is too large to work out, or
// makes no sense, is left as recorded, and `AccessRecord::notFollowed` says so. Faults of the last
// plan are added to the diagnostics.
void completeForeign(Trace &trace);

} // namespace tilescope
