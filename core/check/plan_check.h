// Is a plan right, whoever made it?
#pragma once

#include "core/access/arena_plan.h"

namespace tilescope {

// Pair by pair: overlap in time and in bytes, alignment, pins, capacity. Shares no code with
// planArena. Empty when the plan is right; else one sentence per fault.
std::vector<std::string> checkPlan(const ArenaProblem &problem, const ArenaPlan &plan);

} // namespace tilescope
