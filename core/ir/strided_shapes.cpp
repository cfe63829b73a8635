#include "core/ir/strided_shapes.h"

#include "core/ir/build.h"
#include "core/ir/expr_equal.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

bool isSameValue(const Expr *a, const Expr *b) {
  std::optional<int64_t> first = constantValue(a);
  return first ? first == constantValue(b) : isSameExpr(a, b);
}

bool isSingle(const Expr *extent) { return constantValue(extent) == 1; }

} // namespace

StridedMap::StridedMap(Builder &ir, const StridedShape &from, const StridedShape &to)
    : ir_(ir), from_(from), to_(to), pitches_(to.strides) {
  if (pitches_.empty()) {
    llvm::SmallVector<const Expr *> pitches(to.shape.size(), ir.integer(1));
    for (size_t axis = to.shape.size(); axis-- > 1;)
      pitches[axis - 1] = arith(BinaryOp::Mul, pitches[axis], to.shape[axis]);
    pitches_ = ir.context().copy<const Expr *>(pitches);
  }
  for (size_t axis = 0; axis < from.shape.size(); ++axis) {
    std::optional<Step> step = stepOf(axis);
    isAlongAxes_ &= step.has_value();
    steps_.push_back(step.value_or(Step()));
  }
  for (size_t axis = 0; axis < to.shape.size(); ++axis)
    isAlongAxes_ = isAlongAxes_ && staysInside(axis);
}

// Along the outermost axis that the stride is a multiple of.
std::optional<StridedMap::Step> StridedMap::stepOf(size_t axis) const {
  const Expr *stride = from_.strides[axis];
  std::optional<int64_t> wanted = constantValue(stride);
  if (isSingle(from_.shape[axis]) || wanted == 0)
    return Step();
  for (size_t i = 0; i < to_.shape.size(); ++i) {
    std::optional<int64_t> pitch = constantValue(pitches_[i]);
    if (isSingle(to_.shape[i]))
      continue;
    if (isSameValue(stride, pitches_[i]))
      return Step{i, 1};
    if (wanted && pitch && *pitch > 0 && *wanted % *pitch == 0)
      return Step{i, *wanted / *pitch};
  }
  return std::nullopt;
}

// Whether the last elements of all that steps along an axis are elements of it.
bool StridedMap::staysInside(size_t axis) const {
  int64_t last = 0;
  size_t steps = 0, unknown = 0;
  bool isWhole = true;
  for (auto [step, extent] : llvm::zip_equal(steps_, from_.shape)) {
    if (step.axis != axis)
      continue;
    ++steps;
    isWhole = step.count == 1 && isSameValue(extent, to_.shape[axis]);
    std::optional<int64_t> count = constantValue(extent);
    int64_t further = 0;
    unknown += !count || __builtin_mul_overflow(*count - 1, step.count, &further) ||
               __builtin_add_overflow(last, further, &last);
  }
  std::optional<int64_t> room = constantValue(to_.shape[axis]);
  return (steps == 1 && isWhole) || (unknown == 0 && (last == 0 || (room && last < *room)));
}

// Operands of different width meet in the wider.
const Expr *StridedMap::arith(BinaryOp op, const Expr *lhs, const Expr *rhs) const {
  DType dtype = lhs->dtype().bits >= rhs->dtype().bits ? lhs->dtype() : rhs->dtype();
  return ir_.binary(op, ir_.cast(dtype, lhs), ir_.cast(dtype, rhs));
}

// The outermost axis takes what is left.
llvm::SmallVector<const Expr *> StridedMap::unflatten(const Expr *place) const {
  llvm::SmallVector<const Expr *> indices;
  for (size_t axis = 0; axis < to_.shape.size(); ++axis) {
    const Expr *index = arith(BinaryOp::FloorDiv, place, pitches_[axis]);
    indices.push_back(axis == 0 ? index : arith(BinaryOp::FloorMod, index, to_.shape[axis]));
  }
  return indices;
}

llvm::SmallVector<const Expr *> StridedMap::element(ExprList indices) const {
  llvm::SmallVector<const Expr *> mapped(to_.shape.size(), ir_.integer(0));
  const Expr *place = ir_.integer(0);
  for (auto [axis, index] : llvm::enumerate(indices)) {
    const Step &step = steps_[axis];
    if (!isAlongAxes_)
      place = arith(BinaryOp::Add, place, arith(BinaryOp::Mul, index, from_.strides[axis]));
    else if (step.axis)
      mapped[*step.axis] =
          arith(BinaryOp::Add, mapped[*step.axis],
                arith(BinaryOp::Mul, index, ir_.integer(step.count, index->dtype())));
  }
  return isAlongAxes_ ? mapped : unflatten(place);
}

llvm::SmallVector<size_t> StridedMap::innerAxes() const {
  llvm::SmallVector<size_t> inner;
  for (auto [axis, step] : llvm::enumerate(steps_)) {
    bool isWhole = isAlongAxes_ && step.axis && step.count == 1 &&
                   isSameValue(from_.shape[axis], to_.shape[*step.axis]);
    if (!isWhole)
      inner.push_back(axis);
  }
  return inner;
}

std::optional<llvm::SmallVector<Range>> StridedMap::box(llvm::ArrayRef<Range> ranges) const {
  if (!isAlongAxes_)
    return std::nullopt;
  llvm::SmallVector<const Expr *> starts;
  for (const Range &range : ranges)
    starts.push_back(range.min);
  llvm::SmallVector<Range> mapped;
  for (const Expr *start : element(starts))
    mapped.push_back({start, ir_.integer(1, start->dtype())});
  std::optional<size_t> before;
  for (auto [axis, range] : llvm::enumerate(ranges)) {
    const Step &step = steps_[axis];
    if (isSingle(range.extent))
      continue;
    if (!step.axis || step.count != 1 || (before && *before >= *step.axis))
      return std::nullopt;
    before = step.axis;
    mapped[*step.axis].extent = range.extent;
  }
  return mapped;
}

} // namespace tilescope
