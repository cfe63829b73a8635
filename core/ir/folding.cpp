#include "core/ir/folding.h"

#include <limits>

namespace tilescope {

const Expr *Folding::neutral() const {
  bool isMax = kind_ == ReduceKind::Max;
  bool isExtremum = isMax || kind_ == ReduceKind::Min;
  if (dtype_.isFloat()) {
    double infinity = std::numeric_limits<double>::infinity();
    return builder_.floating(isExtremum ? (isMax ? -infinity : infinity) : 0, dtype_);
  }
  int bits = dtype_.bits - (dtype_.isUnsigned() ? 0 : 1);
  int64_t largest = bits >= 63 ? std::numeric_limits<int64_t>::max() : (int64_t{1} << bits) - 1;
  if (kind_ == ReduceKind::BitAnd && dtype_.isBool())
    return builder_.boolean(true);
  if (kind_ == ReduceKind::BitAnd)
    return builder_.integer(dtype_.isUnsigned() && bits < 63 ? largest : -1, dtype_);
  if (!isExtremum)
    return builder_.integer(0, dtype_);
  if (!isMax)
    return builder_.integer(largest, dtype_);
  return builder_.integer(dtype_.isUnsigned() ? 0 : -largest - 1, dtype_);
}

BinaryOp Folding::op() const {
  bool isBool = dtype_.isBool();
  switch (kind_) {
  case ReduceKind::Sum:
  case ReduceKind::AbsSum:
    return BinaryOp::Add;
  case ReduceKind::Max:
  case ReduceKind::AbsMax:
    return BinaryOp::Max;
  case ReduceKind::Min:
    return BinaryOp::Min;
  case ReduceKind::BitAnd:
    return isBool ? BinaryOp::And : BinaryOp::BitAnd;
  case ReduceKind::BitOr:
    return isBool ? BinaryOp::Or : BinaryOp::BitOr;
  case ReduceKind::BitXor:
    return isBool ? BinaryOp::NotEqual : BinaryOp::BitXor;
  }
  return BinaryOp::Add;
}

const Expr *Folding::combine(const Expr *a, const Expr *b) const {
  bool isMin = op() == BinaryOp::Min;
  if (nanWins_ && dtype_.isFloat() && (isMin || op() == BinaryOp::Max))
    return builder_.math(isMin ? MathFn::MinNan : MathFn::MaxNan, {a, b});
  return builder_.binary(op(), a, b);
}

const Expr *Folding::operand(const Expr *element) const {
  element = builder_.cast(dtype_, element);
  bool isAbsolute = kind_ == ReduceKind::AbsMax || kind_ == ReduceKind::AbsSum;
  return isAbsolute ? builder_.math(MathFn::Abs, element) : element;
}

} // namespace tilescope
