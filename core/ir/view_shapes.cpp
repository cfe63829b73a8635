#include "core/ir/view_shapes.h"

#include "core/ir/build.h"
#include "core/ir/expr_equal.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

bool isOne(const Expr *expr) { return constantValue(expr) == 1; }

bool isSameExtent(const Expr *a, const Expr *b) {
  std::optional<int64_t> first = constantValue(a);
  return first ? first == constantValue(b) : isSameExpr(a, b);
}

// Shown by how the expression is written.
bool isMultipleOf(const Expr *expr, int64_t divisor) {
  if (std::optional<int64_t> value = constantValue(expr))
    return *value % divisor == 0;
  if (const auto *cast = llvm::dyn_cast<Cast>(expr))
    return cast->dtype().bits >= cast->operand->dtype().bits &&
           isMultipleOf(cast->operand, divisor);
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  if (!binary)
    return divisor == 1;
  switch (binary->op) {
  case BinaryOp::Mul:
    for (auto [factor, other] : {std::pair(binary->lhs, binary->rhs), {binary->rhs, binary->lhs}})
      if (std::optional<int64_t> value = constantValue(factor); value && *value != 0)
        if (*value % divisor == 0 ||
            (divisor % *value == 0 && isMultipleOf(other, divisor / *value)))
          return true;
    return isMultipleOf(binary->lhs, divisor) || isMultipleOf(binary->rhs, divisor);
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return isMultipleOf(binary->lhs, divisor) && isMultipleOf(binary->rhs, divisor);
  default:
    return divisor == 1;
  }
}

bool isWhole(const Range &range, const Expr *extent) {
  return constantValue(range.min) == 0 && isSameExtent(range.extent, extent);
}

llvm::SmallVector<const Expr *> wideExtents(llvm::ArrayRef<Range> ranges) {
  llvm::SmallVector<const Expr *> extents;
  for (const Range &range : ranges)
    if (!isOne(range.extent))
      extents.push_back(range.extent);
  return extents;
}

} // namespace

std::optional<int64_t> elementCount(ExprList shape) {
  int64_t count = 1;
  for (const Expr *extent : shape) {
    std::optional<int64_t> value = constantValue(extent);
    if (!value || __builtin_mul_overflow(count, *value, &count))
      return std::nullopt;
  }
  return count;
}

ShapeMap::ShapeMap(Builder &ir, ExprList from, ExprList to) : ir_(ir), from_(from), to_(to) {
  size_t i = from.size(), j = to.size();
  groups_.push_back({i, i, j, j});
  while (i > 0 && j > 0) {
    Group &group = groups_.back();
    if (group.fromBegin == group.fromEnd && isSameExtent(from[i - 1], to[j - 1])) {
      closeGroup(--i, --j);
      continue;
    }
    // A group grows until both sides hold as many elements.
    std::optional<int64_t> here = elementCount(from.slice(i, group.fromEnd - i));
    std::optional<int64_t> there = elementCount(to.slice(j, group.toEnd - j));
    std::optional<int64_t> more = elementCount(from[i - 1]), moreThere = elementCount(to[j - 1]);
    if (!here || !there || !more || !moreThere)
      break;
    if (group.fromBegin == group.fromEnd)
      group = {--i, group.fromEnd, --j, group.toEnd};
    else if (*here < *there)
      group.fromBegin = --i;
    else
      group.toBegin = --j;
    if (elementCount(from.slice(i, group.fromEnd - i)) ==
        elementCount(to.slice(j, group.toEnd - j)))
      closeGroup(i, j);
  }
  // What is left is one group, with the last one if that has begun or an axis would stand alone.
  Group &open = groups_.back();
  bool isAlone = open.fromEnd == open.fromBegin && (i == 0) != (j == 0);
  if (i == 0 && j == 0 && open.fromBegin == open.fromEnd && open.toBegin == open.toEnd)
    groups_.pop_back();
  else if (isAlone && groups_.size() > 1)
    groups_.pop_back();
  if (!groups_.empty()) {
    groups_.back().fromBegin = 0;
    groups_.back().toBegin = 0;
  }
  std::reverse(groups_.begin(), groups_.end());
}

// The open group ends here, and one before it begins.
void ShapeMap::closeGroup(size_t fromBegin, size_t toBegin) {
  groups_.back().fromBegin = fromBegin;
  groups_.back().toBegin = toBegin;
  groups_.push_back({fromBegin, fromBegin, toBegin, toBegin});
}

bool ShapeMap::isSingle(const Group &group) const {
  return group.fromEnd - group.fromBegin == 1 && group.toEnd - group.toBegin == 1;
}

// Operands of different width meet in the wider.
const Expr *ShapeMap::arith(BinaryOp op, const Expr *lhs, const Expr *rhs) const {
  DType dtype = lhs->dtype().bits >= rhs->dtype().bits ? lhs->dtype() : rhs->dtype();
  return ir_.binary(op, ir_.cast(dtype, lhs), ir_.cast(dtype, rhs));
}

const Expr *ShapeMap::flatten(const Group &group, ExprList indices) const {
  const Expr *place = ir_.integer(0);
  const Expr *stride = ir_.integer(1);
  for (size_t axis = group.fromEnd; axis-- > group.fromBegin;) {
    const Expr *index = indices[axis];
    if (isOne(from_[axis]))
      continue;
    // A negative index counts from the end, as in Python.
    if (std::optional<int64_t> value = constantValue(index); value && *value < 0)
      index = arith(BinaryOp::Add, from_[axis], index);
    place = arith(BinaryOp::Add, arith(BinaryOp::Mul, index, stride), place);
    stride = arith(BinaryOp::Mul, stride, from_[axis]);
  }
  return place;
}

// The outermost axis takes what is left, so that what lies outside of one shape does of the other.
void ShapeMap::unflatten(const Group &group, const Expr *place,
                         llvm::SmallVectorImpl<const Expr *> &indices) const {
  size_t outermost = group.toBegin;
  while (outermost + 1 < group.toEnd && isOne(to_[outermost]))
    ++outermost;
  const Expr *stride = ir_.integer(1);
  for (size_t axis = group.toEnd; axis-- > group.toBegin;) {
    const Expr *index = arith(BinaryOp::FloorDiv, place, stride);
    if (axis < outermost)
      index = ir_.integer(0);
    else if (axis > outermost)
      index = isOne(to_[axis]) ? ir_.integer(0) : arith(BinaryOp::FloorMod, index, to_[axis]);
    indices[axis] = index;
    stride = arith(BinaryOp::Mul, stride, to_[axis]);
  }
}

llvm::SmallVector<const Expr *> ShapeMap::element(ExprList indices) const {
  llvm::SmallVector<const Expr *> mapped(to_.size(), ir_.integer(0));
  for (const Group &group : groups_) {
    if (isSingle(group))
      mapped[group.toBegin] = indices[group.fromBegin];
    else
      unflatten(group, flatten(group, indices), mapped);
  }
  return mapped;
}

llvm::SmallVector<size_t> ShapeMap::innerAxes() const {
  llvm::SmallVector<size_t> inner;
  for (const Group &group : groups_)
    for (size_t axis = group.fromBegin + 1; axis < group.fromEnd && !isSingle(group); ++axis)
      inner.push_back(axis);
  return inner;
}

// Side by side: whole axes below one that is cut, single elements above it.
std::optional<ShapeMap::Span> ShapeMap::spanOf(const Group &group,
                                               llvm::ArrayRef<Range> ranges) const {
  llvm::SmallVector<const Expr *> starts;
  for (const Range &range : ranges)
    starts.push_back(range.min);
  int64_t count = 1;
  bool isCut = false;
  for (size_t axis = group.fromEnd; axis-- > group.fromBegin;) {
    std::optional<int64_t> extent = constantValue(ranges[axis].extent);
    if (!extent || (isCut && *extent != 1) || __builtin_mul_overflow(count, *extent, &count))
      return std::nullopt;
    isCut |= !isWhole(ranges[axis], from_[axis]);
  }
  return Span{flatten(group, starts), count};
}

// A box of the axes of `to`: single elements of the outer axes, a part of one, all of the inner.
bool ShapeMap::spread(const Group &group, const Span &span,
                      llvm::SmallVectorImpl<Range> &ranges) const {
  if (span.count < 1)
    return false;
  int64_t stride = 1;
  size_t cut = group.toEnd;
  while (cut > group.toBegin) {
    std::optional<int64_t> extent = constantValue(to_[--cut]);
    if (cut == group.toBegin)
      break;
    if (!extent || *extent < 1)
      return false;
    if (span.count < stride * *extent || span.count % (stride * *extent) != 0)
      break;
    stride *= *extent;
  }
  int64_t part = span.count / stride;
  std::optional<int64_t> extent = constantValue(to_[cut]);
  bool isInside = cut == group.toBegin || (extent && *extent % part == 0);
  if (span.count % stride != 0 || !isInside ||
      !isMultipleOf(span.start, cut == group.toBegin ? stride : span.count))
    return false;
  llvm::SmallVector<const Expr *> starts(to_.size(), ir_.integer(0));
  unflatten(group, span.start, starts);
  for (size_t axis = group.toBegin; axis < group.toEnd; ++axis) {
    ranges[axis] = {starts[axis], ir_.integer(1, starts[axis]->dtype())};
    if (axis == cut)
      ranges[axis].extent = ir_.integer(part, starts[axis]->dtype());
    if (axis > cut)
      ranges[axis] = {ir_.integer(0), to_[axis]};
  }
  return true;
}

std::optional<llvm::SmallVector<Range>> ShapeMap::box(llvm::ArrayRef<Range> ranges,
                                                      bool anyAxes) const {
  llvm::SmallVector<Range> mapped(to_.size(), {ir_.integer(0), ir_.integer(1)});
  for (const Group &group : groups_) {
    if (isSingle(group)) {
      mapped[group.toBegin] = ranges[group.fromBegin];
      continue;
    }
    std::optional<Span> span = spanOf(group, ranges);
    if (!span || !spread(group, *span, mapped))
      return std::nullopt;
  }
  llvm::SmallVector<const Expr *> before = wideExtents(ranges), after = wideExtents(mapped);
  bool isAlike = anyAxes || (before.size() == after.size() &&
                             llvm::all_of(llvm::zip_equal(before, after), [](const auto &pair) {
                               return isSameExtent(std::get<0>(pair), std::get<1>(pair));
                             }));
  return isAlike ? std::optional(std::move(mapped)) : std::nullopt;
}

} // namespace tilescope
