// An integer that each thread makes of its own number and of what all threads of a block agree on:
//
//     tx + bx * 64 - 64     own: -64 -63 ... -1; common: a multiple of 64
//
// So threads may agree on a comparison though they disagree on what is compared: of 64 threads all
// have `tx + bx * 64 < 64`, or none.
#pragma once

#include "core/analysis/lane_arithmetic.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

struct ThreadSum {
  Lanes own;          // empty: not known
  int64_t common = 0; // the rest is a multiple of this; 0: there is no rest

  bool isKnown() const { return !own.empty(); }
};

// What is asked of variables and parts of an expression.
struct ThreadSumQuery {
  LaneArithmetic &lanes;
  llvm::function_ref<bool(const Expr *)> isAgreed;       // whatever its value, all threads have it
  llvm::function_ref<const Expr *(const Var *)> valueOf; // what it is bound to, or null
};

ThreadSum threadSumOf(const Expr *expr, const ThreadSumQuery &query);

// Whether each `width` neighbours among the threads have the same of it, which may be a comparison.
bool agreesOn(const Expr *expr, const ThreadSumQuery &query, size_t width);

} // namespace tilescope
