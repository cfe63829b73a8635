// The bits of a number of one type as those of numbers of another, the first in the lowest bits, as
// they lie in memory.
#pragma once

#include "core/ir/build.h"

namespace tilescope {

// Whether a number can be taken apart into numbers of the other type, or be made of them.
inline bool sharesBits(DType a, DType b) {
  return a == b || (!a.isBool() && !b.isBool() && a.bits >= 8 && b.bits >= 8);
}

// All bits of a number, as an unsigned number of 32 or 64 bits.
const Expr *bitsOf(Builder &ir, const Expr *value);
// The number of type `dtype` that is the part `index` of `bits`.
const Expr *partOfBits(Builder &ir, const Expr *bits, const Expr *index, DType dtype);
// The number of type `dtype` whose parts these are.
const Expr *joinParts(Builder &ir, ExprList parts, DType dtype);

} // namespace tilescope
