// Whether and in which boxes TMA can copy a tile between a tensor and shared memory:
// inject-pipeline asks whether of loads, infer-layouts of stores and atomic operations,
// lower-tile-ops for the boxes.
//
//     T.copy(B[k * 64, bx * 128], B_shared)      64 x 128 of float16: 2 boxes of 64 x 64, each as
//                                                wide as the swizzle of 128 bytes
//     T.copy(lse[bz, k * 64], lse_shared)        64 of float32: a box, in order
#pragma once

#include "core/ir/module.h"
#include "core/target/target.h"

#include <string>

namespace tilescope {

// From the tensor. Why not, as the end of a sentence; empty: it can.
std::string whyNotByTma(Context &context, const Function &function, const Target &target,
                        const OpStmt &copy);
// The same to the tensor.
std::string whyNotStoredByTma(Context &context, const Function &function, const Target &target,
                              const OpStmt &copy);

// The same of an atomic operation of tiles.
std::string whyNotReducedByTma(Context &context, const Function &function, const Target &target,
                               const OpStmt &atomic);

// Whether infer-layouts has chosen so; of an atomic operation before it, whether the kernel asks.
bool isStoredByTma(const OpStmt &op);
bool isReducedByTma(const OpStmt &op);

// Of the matrix of its last two axes, or of its one row, a box takes `rows` by `columns`.
struct TmaBoxes {
  int64_t rows = 0;
  int64_t columns = 0;
};
TmaBoxes tmaBoxesOf(const Buffer &tile);

} // namespace tilescope
