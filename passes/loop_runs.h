// Loops over adjacent elements that are too long for the arrays of one vectorized loop, as loops
// over runs of them:
//
//     for v in T.vectorized(128):        for run in T.unroll(8):
//       local[v] = A[tx, v]          =>    for v in T.vectorized(16):
//                                            local[run * 16 + v] = A[tx, run * 16 + v]
#pragma once

#include "core/ir/visit.h"

namespace tilescope {

// The function with such loops of more than `longest` iterations, in the same order, where an
// access of several elements may come of it. A run is the longest part, of at most `longest`
// iterations and a power of two, that the extent is a multiple of.
const Function *withRuns(Context &context, const Function &function, int64_t longest);

} // namespace tilescope
