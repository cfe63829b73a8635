#include "core/analysis/bounds_guard.h"

#include "core/analysis/simplify_expr.h"
#include "core/ir/build.h"

namespace tilescope {

namespace {

// Two integers of possibly different width, both widened.
void widen(Builder &builder, const Expr *&a, const Expr *&b) {
  DType wider = a->dtype().bits >= b->dtype().bits ? a->dtype() : b->dtype();
  a = builder.cast(wider, a);
  b = builder.cast(wider, b);
}

// `min < shape` for one element, `min + extent <= shape` for several.
const Expr *belowExtent(Builder &builder, const Range &range, const Expr *shape) {
  const Expr *min = range.min;
  const Expr *extent = range.extent;
  if (constantValue(extent) == 1) {
    widen(builder, min, shape);
    return builder.less(min, shape);
  }
  widen(builder, min, extent);
  const Expr *end = builder.add(min, extent);
  widen(builder, end, shape);
  return builder.binary(BinaryOp::LessEqual, end, shape);
}

const Expr *notNegative(Builder &builder, const Expr *min) {
  return builder.binary(BinaryOp::GreaterEqual, min, builder.integer(0, min->dtype()));
}

} // namespace

bool isOutside(IrAffine &affine, const Range &range, const Expr *extent) {
  if (!isAffineType(range.min->dtype()) || !isAffineType(extent->dtype()))
    return false;
  if (affine.bounds(range.extent).lower.value_or(0) <= 0)
    return false;
  Builder builder(affine.context());
  const Expr *min = range.min;
  const Expr *size = extent;
  widen(builder, min, size);
  if (affine.prove(builder.binary(BinaryOp::GreaterEqual, min, size)) == Proof::True)
    return true;
  const Expr *start = range.min;
  const Expr *count = range.extent;
  widen(builder, start, count);
  const Expr *end = builder.add(start, count);
  return affine.prove(builder.binary(BinaryOp::LessEqual, end, builder.integer(0, end->dtype()))) ==
         Proof::True;
}

llvm::SmallVector<CoordinateRisk> coordinatesAtRisk(IrAffine &affine, const Buffer &buffer,
                                                    llvm::ArrayRef<Range> ranges) {
  Builder builder(affine.context());
  llvm::SmallVector<CoordinateRisk> risks;
  for (size_t dim = 0; dim < ranges.size(); ++dim) {
    const Expr *above = belowExtent(builder, ranges[dim], buffer.shape[dim]);
    const Expr *below = notNegative(builder, ranges[dim].min);
    CoordinateRisk risk{dim, affine.prove(below) != Proof::True,
                        affine.prove(above) != Proof::True};
    if (risk.below || risk.above)
      risks.push_back(risk);
  }
  return risks;
}

const Expr *insideCondition(IrAffine &affine, const Buffer &buffer, llvm::ArrayRef<Range> ranges) {
  Builder builder(affine.context());
  const Expr *condition = nullptr;
  for (const CoordinateRisk &risk : coordinatesAtRisk(affine, buffer, ranges)) {
    const Range &range = ranges[risk.dim];
    if (risk.below)
      condition = builder.logicalAnd(condition, notNegative(builder, range.min));
    if (risk.above)
      condition =
          builder.logicalAnd(condition, belowExtent(builder, range, buffer.shape[risk.dim]));
  }
  return condition ? simplifyExpr(affine, condition) : nullptr;
}

const Expr *insideCondition(IrAffine &affine, const Buffer &buffer, ExprList indices) {
  Builder builder(affine.context());
  llvm::SmallVector<Range> ranges;
  for (const Expr *index : indices)
    ranges.push_back({index, builder.integer(1, index->dtype())});
  return insideCondition(affine, buffer, ranges);
}

bool isUniform(IrAffine &affine, const Expr *condition, const Var *lane) {
  const auto *unary = llvm::dyn_cast<Unary>(condition);
  if (unary && unary->op == UnaryOp::Not)
    return isUniform(affine, unary->operand, lane);
  const auto *binary = llvm::dyn_cast<Binary>(condition);
  if (binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or))
    return isUniform(affine, binary->lhs, lane) && isUniform(affine, binary->rhs, lane);
  std::optional<IrAffine::Comparison> comparison = affine.convertComparison(condition);
  if (!comparison)
    return !affine.dependsOn(condition, lane);
  Affine value = affine.expandBinds(comparison->condition.value);
  value = affine.arithmetic().simplify(value, affine.ranges());
  if (comparison->condition.relation == AffineRelation::NonNegative)
    value = affine.arithmetic().dropIdleTerms(value, affine.ranges());
  return value.isKnown() && !affine.dependsOn(value, lane);
}

} // namespace tilescope
