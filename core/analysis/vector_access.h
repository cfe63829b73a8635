// What the iterations of a short loop do to memory, and what one wide access may stand for.
//
//     for v in T.unroll(4):
//       col = base + v                              one invariant condition part, i < M, and one
//       that if i < M and col < N:                       v = 0 decides for all four where 4 divides
//       base
//         C[i, col] = f(A[i, col])                  and N
#pragma once

#include "core/analysis/layout_access.h"
#include "core/ir/visit.h"

namespace tilescope {

bool isInvariant(const Expr *expr, const Var *var);

struct GuardedStore {
  const Store *store = nullptr;
  const Expr *condition = nullptr; // null: always
};

// A body of bindings and guarded stores, in order.
struct StoreLoop {
  const For *loop = nullptr;
  int64_t extent = 0;
  llvm::SmallVector<const Bind *> invariant; // bindings that do not depend on the loop
  llvm::SmallVector<const Bind *> varying;
  llvm::SmallVector<GuardedStore> stores;
  Substitution inlined; // values of `varying` in terms of the loop variable

  const Var *var() const { return loop->var; }
};

// Nullopt if the loop does not start at 0, has no constant extent, or holds anything else.
std::optional<StoreLoop> storeLoopOf(Context &context, const For &loop);

// Whether all loads may be done before all stores: memory that is stored is loaded only at the
// same place, and stored once.
bool loadsMayComeFirst(const StoreLoop &loop, const Function &function);

} // namespace tilescope
