// The largest integer that is known to divide an index expression, whatever its variables are.
//
//     by * 128 + k * 32 + 8      8
//     n * 64 // 16               4
//     bx                         1
#pragma once

#include "core/ir/module.h"

#include "llvm/ADT/DenseMap.h"

namespace tilescope {

// Values of bound variables (Bind statements): the analysis looks through them.
using BoundValues = llvm::DenseMap<const Var *, const Expr *>;
BoundValues boundValuesOf(const Function &function);

// 0 if the expression is the constant 0, which everything divides; 1 if nothing is known.
int64_t knownDivisor(const Expr *expr, const BoundValues &bound = BoundValues());

} // namespace tilescope
