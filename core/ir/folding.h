// How a reduction folds elements, as expressions.
#pragma once

#include "core/ir/build.h"

namespace tilescope {

class Folding {
public:
  // `nanWins`: a NaN is both the larger and the smaller one of two floats.
  Folding(Builder &builder, ReduceKind kind, DType dtype, bool nanWins = false)
      : builder_(builder), kind_(kind), dtype_(dtype), nanWins_(nanWins) {}

  // What changes nothing when it is combined.
  const Expr *neutral() const;
  const Expr *combine(const Expr *a, const Expr *b) const;
  // The operator of `combine`, unless a NaN wins.
  BinaryOp op() const;
  // An element as it takes part.
  const Expr *operand(const Expr *element) const;

private:
  Builder &builder_;
  ReduceKind kind_;
  DType dtype_;
  bool nanWins_;
};

} // namespace tilescope
