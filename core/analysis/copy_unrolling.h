// How far to unroll loops that move a tile from memory to memory through registers. All their loads
// may be under way at once, each in registers of its own; where fragments hold most of what a
// thread has, nvcc spills some of them for it.
//
//     for row_step in T.unroll(0, 16):         16 loads of 16 bytes: 64 registers
//       T.vector_copy(A[...], A_shared[...])   fragments hold 200 of 255: 8 at a time
//
// Only of copies that are made again and again. Loops that index registers are none of these: they
// must be unrolled as a whole.
#pragma once

#include "core/ir/module.h"

#include "llvm/ADT/DenseMap.h"

namespace tilescope {

// Of the loops that are not to be unrolled as a whole: how many iterations are.
llvm::DenseMap<const For *, int64_t>
computeCopyUnrolling(Context &context, const Function &function, const Launch &launch);

} // namespace tilescope
