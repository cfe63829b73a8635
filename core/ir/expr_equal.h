// Structural equality of expressions.
#pragma once

#include "core/ir/expr.h"

namespace tilescope {

// Same tree: variables by identity, floats by bits (NaNs are one); either may be null. That two
// loads are written the same says nothing about memory: compare expressions that are evaluated at
// the same point.
bool isSameExpr(const Expr *a, const Expr *b);
// Equal for expressions that are the same.
uint64_t hashOfExpr(const Expr *expr);

} // namespace tilescope
