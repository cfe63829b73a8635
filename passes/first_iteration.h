// A short loop as of its first iteration: what accesses in place of all iterations are placed by.
//
//     for v in T.unroll(4):            col: T.int32 = tx * 4        a binding once more, before it
//       col = tx * 4 + v          =>   A[i, col:col + 4]
//       A[i, col]
#pragma once

#include "core/analysis/vector_access.h"
#include "core/ir/build.h"

namespace tilescope {

// Of a loop that becomes wide accesses: its elements go through registers.
inline constexpr int64_t LongestLoop = 16;

class FirstIteration {
public:
  FirstIteration(Context &context, const StoreLoop &loop)
      : context_(context), builder_(context), loop_(loop) {}

  // In terms of the variables of `binds`; null stays null.
  const Expr *valueOf(const Expr *expr);
  // `width` elements of the last axis, from the element of the iteration `step` on.
  BufferRegion regionAt(BufferId id, const Expr *slot, ExprList indices, int64_t step,
                        int64_t width);
  // The bindings that vary, in order; none before somebody asked for a value.
  llvm::ArrayRef<const Bind *> binds() const { return binds_; }

private:
  Context &context_;
  Builder builder_;
  const StoreLoop &loop_;
  Substitution vars_; // what the variables of the loop are
  llvm::SmallVector<const Bind *> binds_;
};

// Those of `binds`, in order, that the statements use, directly or through others.
llvm::SmallVector<const Stmt *> neededBy(llvm::ArrayRef<const Stmt *> stmts,
                                         llvm::ArrayRef<const Bind *> binds);

} // namespace tilescope
