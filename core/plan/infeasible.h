// Why a problem cannot fit its capacity: buffers that are live together and too large together.
#pragma once

#include "core/plan/plan.h"

namespace tilescope {

// The fewest buffers that are live at one point and exceed the capacity together, largest first;
// without any one of them the others would fit. Several such points: the first. Empty if the
// capacity is unlimited or no live set exceeds it (then only a search can tell).
std::vector<BufferId> infeasibleCore(const ArenaProblem &problem);

} // namespace tilescope
