// What the iterations of a short loop do to memory, and what one wide access may stand for.
//
//     for v in T.unroll(4):
//       col = base + v                              one invariant condition part, i < M, and one
//       that if i < M and col < N:                       v = 0 decides for all four where 4 divides
//       base
//         C[i, col] = f(A[i, col])                  and N
#pragma once

#include "core/analysis/element_dependences.h"
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

// Which accesses of the loop may be wide: a wide load stands before the loop, a wide store after
// it, and its place and its guard are computed once. Reasons are empty where nothing speaks against
// it.
class WideAccesses {
public:
  WideAccesses(IrAffine &affine, const Function &function, const BoundValues &bound,
               const StoreLoop &loop);

  // Whether anything lies in memory such that one access could move several elements.
  bool hasRuns();
  // Why no access may be wide all the same.
  std::string whyNone();
  // Elements that one access moves; 1: not wide.
  int64_t widthOf(const Buffer &buffer, const Expr *slot, ExprList indices, const Expr *guard);
  std::string whyNotLoaded(const Stmt &user, const Load &load, const Expr *guard);
  std::string whyNotStored(const Store &store, const Expr *guard);
  // Registers: whether the store to them may be the target of a wide load, and whether the load
  // from them may be the source of a wide store that stands in place of `user`.
  bool mayBeTarget(const Store &store);
  bool mayBeSource(const Store &user, const Load &load);

private:
  std::string whyNotOnce(llvm::ArrayRef<const Expr *> computed);

  IrAffine &affine_;
  const Function &function_;
  const BoundValues &bound_;
  const StoreLoop &loop_;
  ElementDependences dependences_;
};

} // namespace tilescope
