// Statements that fill a tile in shared memory from global memory, perhaps under a condition: what
// a pipelined loop may do ahead.
//
//     T.copy(K[k * 64], S)
//     for i, j in T.Parallel(64, 128): S[i, j] = K[P[i], j]
//     if mask[k] != 0: T.copy(K[k * 64], S)
#pragma once

#include "core/ir/module.h"

#include <optional>

namespace tilescope {

struct TileLoad {
  BufferId source;
  BufferId destination;
};
// Nullopt: it is none.
std::optional<TileLoad> tileLoadOf(const Function &function, const Stmt *stmt);

// Of a tile load, the copy or the parallel loop without the conditions around it.
const Stmt *movingPart(const Stmt *load);
// And the buffer that it fills.
BufferId filledBy(const Stmt *load);

} // namespace tilescope
