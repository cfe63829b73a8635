// Read off the bounds of `happens_before.h`: which copies have arrived where, and at which part of
// a lane the other lane has done all that it does. Lifetimes ask that, and the judges of steps do
// not.
#pragma once

#include "core/access/happens_before.h"

namespace tilescope {

HappensBefore withArrivals(const AccessProgram &program, FollowedSteps followed);

// Per node: it, or what stands in it, copies what an mbarrier counts.
std::vector<bool> nodesWithCopies(const AccessProgram &program);

} // namespace tilescope
