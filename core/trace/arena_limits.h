// What the arenas and passes of a trace may claim. A trace comes from strangers: within these
// limits sums of its figures do not overflow and a planner can be asked about it.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

// Byte counts in [0, 2^44), at most 2^16 buffers with positive alignments and versions, lives that
// are sorted and not empty.
bool isWithinLimits(const ArenaRecord &arena);

// Counts in [0, 2^44).
bool areWithinLimits(const PassFigures &figures);

} // namespace tilescope
