// What each warp moves of global memory in one access, counted by going through its lanes;
// core/access/sector_counts.h says what it moves. A tensor is taken to begin where a line of 128
// bytes does, as what cudaMalloc returns does.
//
//     A[by * 64 + tx // 4, tx % 4 * 8 : +8]    float16, rows of 1024    16 sectors of least 16, 8
//     lines A[tx, k]                                 the same                 32 sectors of least
//     2, 32 lines
#pragma once

#include "core/ir/module.h"

#include <optional>
#include <vector>

namespace tilescope {

struct GlobalAccess {
  const Stmt *stmt = nullptr;
  BufferId buffer;
  bool isWrite = false;
  int64_t bytes = 0;   // of one lane
  int64_t sectors = 0; // of the warp that moves most; 0: its places are not known
  int64_t least = 0;   // that its bytes need
  int64_t lines = 0;   // 0: not known
  // By warp and lane: the element of the tensor, in row-major order, that it begins at, in the
  // iteration in which the warp moves most sectors; nullopt: it takes no part. Empty: not known.
  std::vector<std::vector<std::optional<int64_t>>> warps;
  bool isShifted = false; // all elements lie further, by what the block and iteration choose
};

// In program order, of statements of single threads and warps; equal ones of one statement once.
std::vector<GlobalAccess> computeGlobalAccesses(Context &context, const Function &function);

} // namespace tilescope
