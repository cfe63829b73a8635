// Quotients and remainders of a short loop that stay in one row, written so that it shows:
//
//     for v in T.vectorized(8):                      for v in T.vectorized(8):
//       index = tx * 8 + v                      =>     index = tx * 8 + v
//       S[index // 64, index % 64] = local[v]          S[tx * 8 // 64, tx * 8 % 64 + v] = local[v]
//
// 8 iterations, from a multiple of 8 on, pass no multiple of 64 but the first.
#pragma once

#include "core/analysis/divisor.h"
#include "core/ir/visit.h"

namespace tilescope {

// The loop itself where nothing changes.
const For *withSplitQuotients(Context &context, const For &loop, const BoundValues &bound);

} // namespace tilescope
