// The check of a function's hazards where roles run at the same time, or mbarriers tell the copies
// of a statement apart by their iterations: barriers tell not all, so the steps of its lanes are
// followed (`step_hazards.h`), of a loop of unknown length for all lengths (`loop_lengths.h`).
#pragma once

#include "core/analysis/access_builder.h"
#include "core/check/verify_memory.h"

namespace tilescope {

// Whether it has such roles or mbarriers.
bool hasLanes(const AccessProgram &program);

// As verifyHazards; `tree` is of the function, with lanes. A wait that nothing ends is found, too.
HazardVerdict verifyLanes(Context &context, const Function &function, const AccessTree &tree,
                          Diagnostics &diagnostics, HazardSeverity severity);

} // namespace tilescope
