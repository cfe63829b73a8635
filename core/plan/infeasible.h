// Why a problem cannot fit its capacity: buffers that are live together and too large together, or
// buffers that no placement fits though no point needs more than the capacity.
//
//   bytes ^  19 +---+
//         |     | d |     b, c and d are live together and aligned to 8 bytes: 14 bytes that do not
//         |  16 +---+     fit 18
//         |     +---+
//         |     | c |
//         |   8 +---+
//         |     | b |
//         |   0 +---+
#pragma once

#include "core/access/arena_plan.h"

namespace tilescope {

// The fewest buffers that are live at one point and exceed the capacity together, largest first;
// without any one of them the others would fit. Several such points: the first. Empty if the
// capacity is unlimited or no live set exceeds it (then only a search can tell).
std::vector<BufferId> infeasibleCore(const ArenaProblem &problem);

struct FragmentationCore {
  // In the order of the problem; exhaustive search found no placement of them within the capacity.
  // Empty if that was not proven of the whole problem.
  std::vector<BufferId> buffers;
  // Without any one of them the others fit. Else the budget ended before that was known of all.
  bool isMinimal = false;

  friend bool operator==(const FragmentationCore &, const FragmentationCore &) = default;
};

// For problems without a live set over the capacity: buffers are dropped one by one, smallest
// first, where the others are still proven not to fit. Each proof may take a tenth of
// `nodeBudget`, all together the whole of it.
FragmentationCore fragmentationCore(const ArenaProblem &problem, int64_t nodeBudget);

} // namespace tilescope
