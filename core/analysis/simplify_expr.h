// Simplification of expressions: constant folding, index arithmetic, conditions decided by bounds.
//
//     (tx * 8 + v) // 64           tx // 8        with v in [0, 8)
//     ko * 32 + i < K              True           with ko in [0, K // 32), i in [0, 32)
//     (k * 64 + j) % 128           k % 2 * 64 + j             with j in [0, 64)
//     x * T.float32(1)             x
//     a < 5 and a < 9              a < 5
//
// What is returned is the same pointer where nothing became shorter: a longer or differently
// ordered spelling of the same value is no simplification, and people read the result.
#pragma once

#include "core/analysis/ir_affine.h"

namespace tilescope {

// Under the ranges and facts that `affine` holds now.
const Expr *simplifyExpr(IrAffine &affine, const Expr *expr);

} // namespace tilescope
