// Whether the warp groups of a role need each other, or may each be a role of their own.
//
//     with T.ws(0, 1):                                     threads [0, 256)
//       T.wgmma(A_shared[tx // 128 * 64, ...], ...)
//       C_shared[tx // 32 * 16 + ..., ...] = C_local[...]  threads [0, 128): rows [0, 64)
//       T.tma_store(C_shared[0:128, 0:64], C[...])         one thread: all rows
//
// They may where each has rows of its own of what the role writes to shared memory, and nobody
// waits there for the other.
#pragma once

#include "core/ir/module.h"

#include <string>
#include <vector>

namespace tilescope {

struct RoleParts {
  std::string reason; // why they stay together, as the end of a sentence; empty: they need not
  // Tiles of which each warp group has as many rows, the first those from 0 on.
  std::vector<BufferId> tiles;
};

// After lowering, of a role of several warp groups.
RoleParts computeRoleParts(Context &context, const Function &function, const Launch &launch,
                           const Role &role);

// The axes of a bulk store's box of a tensor that are rows and columns of its tile; nothing: it has
// others.
struct BoxAxes {
  size_t row = 0, column = 0;
};
std::optional<BoxAxes> boxAxesOf(const BufferRegion &inTensor);

// Whether one thread stores a box of a shared tile.
bool isBoxStore(const OpStmt &op);

} // namespace tilescope
