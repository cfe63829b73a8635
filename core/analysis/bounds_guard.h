// Which coordinates of an access may lie outside the buffer, and the condition that they do not.
//
//     A: T.Tensor((M, 128)), access A[by * 128 + i, j], j in [0, 128)
//     coordinate 0 may exceed M; nothing else    =>    by * 128 + i < M
#pragma once

#include "core/analysis/ir_affine.h"

namespace tilescope {

struct CoordinateRisk {
  size_t dim = 0;
  bool below = false; // may be negative
  bool above = false; // may reach the extent
};

// Whether the range has coordinates, and none of them in [0, extent), whatever the variables are.
bool isOutside(IrAffine &affine, const Range &range, const Expr *extent);

// Coordinates that are not proven inside under the ranges and facts of `affine`, in order of
// dimension. `ranges` is the accessed box, one element: extent 1.
llvm::SmallVector<CoordinateRisk> coordinatesAtRisk(IrAffine &affine, const Buffer &buffer,
                                                    llvm::ArrayRef<Range> ranges);

// True where the whole box is inside; null if that is proven. A box that is partly inside fails, so
// a vector access needs a width that divides what is inside (`selectCopy` sees to that).
const Expr *insideCondition(IrAffine &affine, const Buffer &buffer, llvm::ArrayRef<Range> ranges);
// The same for one element.
const Expr *insideCondition(IrAffine &affine, const Buffer &buffer, ExprList indices);

// True if a condition has one value for all values of `lane` in its range, whatever the other
// variables are, so that a wide access may ask it once:
//     bx * 64 + col < 1000, col = tx * 8 + v, lane v in [0, 8)     uniform, because 8 divides 1000
bool isUniform(IrAffine &affine, const Expr *condition, const Var *lane);

} // namespace tilescope
