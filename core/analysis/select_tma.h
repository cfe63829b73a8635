// Whether and in which boxes TMA can copy a tile from a tensor to shared memory: inject-pipeline
// asks whether, lower-tile-ops for the boxes.
//
//     T.copy(B[k * 64, bx * 128], B_shared)      64 x 128 of float16: 2 boxes of 64 x 64, each as
//                                                wide as the swizzle of 128 bytes
#pragma once

#include "core/ir/module.h"
#include "core/target/target.h"

#include <string>

namespace tilescope {

// Why not, as the end of a sentence; empty: it can.
std::string whyNotByTma(Context &context, const Function &function, const Target &target,
                        const OpStmt &copy);

// Of a tile of so many rows and columns: a box takes `rows` by `columns` of it.
struct TmaBoxes {
  int64_t rows = 0;
  int64_t columns = 0;
};
TmaBoxes tmaBoxesOf(const Buffer &tile);

} // namespace tilescope
