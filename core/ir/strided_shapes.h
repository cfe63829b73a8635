// A shape with strides over the memory of a buffer: which of the buffer's elements one of the shape
// is.
//
//     (128, 64) of float16, seen as (64, 128) with strides (1, 64):    [i, j]      is  [j, i]
//     (128, 64), seen as (128, 4, 16) with strides (64, 16, 1):        [i, j, k]   is  [i, j * 16 +
//     k] (64,), seen as (32, 2) with strides (2, 0):                      [i, j]      is  [i * 2]
//
// Each axis steps along one axis of the buffer where its stride is a multiple of that one's and
// what steps along it stays inside; where one does not, and the buffer is dense, places are counted
// row major.
#pragma once

#include "core/ir/stmt.h"

#include <optional>

namespace tilescope {

class Builder;

struct StridedShape {
  ExprList shape;
  ExprList strides; // in elements, one an axis; empty: row major
};

class StridedMap {
public:
  // From coordinates of `from`, which has strides, to those of `to`.
  StridedMap(Builder &ir, const StridedShape &from, const StridedShape &to);

  // False: elements lie on no axes of `to`, whose rows have gaps.
  bool isKnown() const { return isAlongAxes_ || to_.strides.empty(); }
  llvm::SmallVector<const Expr *> element(ExprList indices) const;
  // Axes of `from` whose index must lie inside of the axis: beyond its end `to` may have elements.
  llvm::SmallVector<size_t> innerAxes() const;
  // As that of ShapeMap (core/ir/view_shapes.h).
  std::optional<llvm::SmallVector<Range>> box(llvm::ArrayRef<Range> ranges) const;

private:
  struct Step {
    std::optional<size_t> axis; // of `to`; nothing: all elements of the axis are one
    int64_t count = 1;          // elements of that axis
  };

  std::optional<Step> stepOf(size_t axis) const;
  bool staysInside(size_t axis) const;
  const Expr *arith(BinaryOp op, const Expr *lhs, const Expr *rhs) const;
  llvm::SmallVector<const Expr *> unflatten(const Expr *place) const;

  Builder &ir_;
  StridedShape from_;
  StridedShape to_;
  ExprList pitches_; // of `to`, made up where it has no strides
  llvm::SmallVector<Step> steps_;
  bool isAlongAxes_ = true;
};

} // namespace tilescope
