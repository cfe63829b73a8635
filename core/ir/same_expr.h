// Structural equality of expressions.
#pragma once

#include "core/ir/expr.h"

namespace tilescope {

// Same tree, same types, same variables. `a + b` and `b + a` differ.
bool sameExpr(const Expr *a, const Expr *b);

} // namespace tilescope
