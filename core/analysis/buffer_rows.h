// Shared buffers that a kernel uses row by row, in turns: as a pipeline would use its versions.
//
//     for k in T.serial(n):
//       s[k % 2, tx] = ...                  slot k mod 2 of two
//       T.sync_threads()
//       ... = s[k % 2 ^ 1, 127 - tx]        slot (k + 1) mod 2
//
//     T.async_copy(A, s[0, :])              slot 0, while slot 1 is copied to as well
//     T.async_copy(B, s[1, :])
#pragma once

#include "core/analysis/ir_affine.h"

namespace tilescope {

// The number of rows of each, by the id of the buffer. Every access is to one row, which is
// constant or goes with a loop in which threads meet, so that no leaf of an AccessProgram holds it.
llvm::DenseMap<uint32_t, int64_t> findRowsByTurns(Context &context, const Function &function,
                                                  IrAffine &affine);

} // namespace tilescope
