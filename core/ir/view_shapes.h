// Two shapes of the same memory: which element of one an element of the other is.
//
// Elements are counted row major in both, so shapes are compared from the last axis on; a shape may
// hold fewer elements than the other, which are then its first.
//
//     (128, 64) seen as (128, 4, 16):  [i, j, k]            is  [i, j * 16 + k]
//                                      [i, 0:4, 0:16]       is  [i, 0:64]
//     (3, 3, 64) seen as (9, 64):      [r, c]               is  [r // 3, r % 3, c]
#pragma once

#include "core/ir/stmt.h"

#include <optional>

namespace tilescope {

class Builder;

class ShapeMap {
public:
  // From coordinates of the shape `from` to those of `to`.
  ShapeMap(Builder &ir, ExprList from, ExprList to);

  llvm::SmallVector<const Expr *> element(ExprList indices) const;
  // Axes of `from` whose index must lie inside of the axis for `element` and `box` to hold: beyond
  // its end they would name an element of the next row.
  llvm::SmallVector<size_t> innerAxes() const;
  // The box of `to` that holds the elements of a box of `from`, in the same order and, unless
  // `anyAxes`, with the same extents other than 1; nullopt: there is none, or it cannot be shown.
  std::optional<llvm::SmallVector<Range>> box(llvm::ArrayRef<Range> ranges,
                                              bool anyAxes = false) const;

private:
  // Axes [fromBegin, fromEnd) hold what [toBegin, toEnd) hold.
  struct Group {
    size_t fromBegin, fromEnd;
    size_t toBegin, toEnd;
  };
  // Elements from `start` on, side by side in the axes of a group.
  struct Span {
    const Expr *start;
    int64_t count;
  };

  void closeGroup(size_t fromBegin, size_t toBegin);
  bool isSingle(const Group &group) const;
  const Expr *arith(BinaryOp op, const Expr *lhs, const Expr *rhs) const;
  const Expr *flatten(const Group &group, ExprList indices) const;
  void unflatten(const Group &group, const Expr *place,
                 llvm::SmallVectorImpl<const Expr *> &indices) const;
  std::optional<Span> spanOf(const Group &group, llvm::ArrayRef<Range> ranges) const;
  bool spread(const Group &group, const Span &span, llvm::SmallVectorImpl<Range> &ranges) const;

  Builder &ir_;
  ExprList from_;
  ExprList to_;
  llvm::SmallVector<Group, 4> groups_; // outermost first
};

// Elements of a shape; nullopt where that is no constant of 64 bits.
std::optional<int64_t> elementCount(ExprList shape);

} // namespace tilescope
