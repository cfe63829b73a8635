// What each warp moves of global memory in one access, counted by going through its lanes;
// core/access/sector_counts.h says what it moves. A tensor is taken to begin where a line of 128
// bytes does, as what cudaMalloc returns does.
//
//     A[by * 64 + tx // 4, tx % 4 * 8 : +8]    16 sectors of least 16, 8 lines
//     A[tx, k]                                 32 sectors of least 2, 32 lines
//
// of float16, in rows of 1024.
#pragma once

#include "core/analysis/warp_access.h"

namespace tilescope {

struct GlobalAccess : WarpAccess {
  int64_t sectors = 0; // of the warp that moves most; 0: its places are not known
  int64_t least = 0;   // that its bytes need
  int64_t lines = 0;   // 0: not known
};

// In program order, of statements of single threads and warps; equal ones of one statement once.
std::vector<GlobalAccess> computeGlobalAccesses(Context &context, const Function &function);

} // namespace tilescope
