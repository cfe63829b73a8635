// A parallel loop that copies elements of global memory to a tile in shared memory, each from where
// its indices say, and how wide one asynchronous copy of it may be. plan-pipeline asks before
// layouts exist, the lowering asks again.
//
//     for i, j in T.Parallel(64, 128):
//       row = Indices[k * 64 + i]
//       S[i, j] = T.if_then_else(row >= 0, K[row, j], 0)
//
// cp.async fills 4, 8 or 16 bytes at a time where these come from as many adjacent bytes under one
// condition: here eight columns of a row. Indices and conditions are evaluated by the thread that
// starts the copy, when it starts it.
#pragma once

#include "core/ir/module.h"
#include "core/target/target.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace tilescope {

struct Gather {
  llvm::SmallVector<const Bind *> binds; // in order
  const Store *store = nullptr;          // to shared memory
  const Load *load = nullptr;            // from global memory
  const Expr *predicate = nullptr;       // null: always; where it is false zeros are stored
};
// Nullopt if the nest does anything else.
std::optional<Gather> gatherOf(const Parallel &nest, const Function &function);

struct GatherChoice {
  int64_t vectorBytes = 0; // of one copy
  std::string obstacle;    // why it cannot be asynchronous; empty: it can
};
GatherChoice selectGather(Context &context, const Parallel &nest, const Gather &gather,
                          const Function &function, const Target &target);

} // namespace tilescope
