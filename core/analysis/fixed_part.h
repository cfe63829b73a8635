// The part of an index that all threads of a block agree on and that stays what it is: in
// `bx * 512 + 4 * n + tx` it is `512 * bx + 4 * n`, whatever these are.
#pragma once

#include "core/ir/expr.h"

#include "llvm/ADT/SmallVector.h"

namespace tilescope {

// A multiple of an expression that has one value for a block, such as `128 * by`.
struct FixedTerm {
  const Expr *expr = nullptr;
  int64_t coefficient = 1;
};

// A sum; no two terms have the same expression.
using FixedPart = llvm::SmallVector<FixedTerm, 2>;

bool isSameFixedPart(const FixedPart &a, const FixedPart &b);
// Whatever the values of its expressions, the sum is a multiple of this; 0 without terms.
int64_t periodOf(const FixedPart &fixed);
// Adds `factor` times the terms; false on overflow.
bool addTerms(FixedPart &sum, const FixedPart &terms, int64_t factor);

} // namespace tilescope
