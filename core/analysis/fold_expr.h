// Folding of one expression node whose operands are folded already: floats, booleans, casts and
// selects. Integer arithmetic is simplify_expr's.
#pragma once

#include "core/ir/build.h"

namespace tilescope {

// The same pointer if nothing applies. Floats keep their bits: `x + 0` is not `x` for x = -0, and
// `x * 0` is not 0 for infinite x, so neither is folded; float16 and narrower are not computed.
const Expr *foldExpr(Builder &builder, const Expr *expr);

} // namespace tilescope
