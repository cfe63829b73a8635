#include "core/exec/folding.h"

#include "core/exec/arithmetic.h"
#include "core/exec/math_functions.h"

#include "llvm/Support/ErrorHandling.h"

#include <cmath>

namespace tilescope {

static BinaryOp operatorOf(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::AbsSum:
    return BinaryOp::Add;
  case ReduceKind::Max:
  case ReduceKind::AbsMax:
    return BinaryOp::Max;
  case ReduceKind::Min:
    return BinaryOp::Min;
  case ReduceKind::BitAnd:
    return BinaryOp::BitAnd;
  case ReduceKind::BitOr:
    return BinaryOp::BitOr;
  case ReduceKind::BitXor:
    return BinaryOp::BitXor;
  }
  llvm_unreachable("every kind has its operator");
}

DType accumulatorOf(DType result) {
  if (!result.isFloat())
    return result.isUnsigned() ? DType::uint64() : DType::int64();
  return result.bits == 64 ? result : DType::float32();
}

Number neutralOf(ReduceKind kind, DType accumulator) {
  if (kind == ReduceKind::BitAnd)
    return Number{.i = -1};
  if (kind != ReduceKind::Max && kind != ReduceKind::Min)
    return accumulator.isFloat() ? Number{.f = 0} : Number{.i = 0};
  bool isMax = kind == ReduceKind::Max;
  if (accumulator.isFloat())
    return Number{.f = isMax ? -HUGE_VAL : HUGE_VAL};
  if (accumulator.isUnsigned())
    return Number{.i = isMax ? 0 : -1};
  return Number{.i = isMax ? INT64_MIN : INT64_MAX};
}

Number foldOf(ReduceKind kind, DType accumulator, Number sum, Number element, bool nanWins) {
  if (kind == ReduceKind::AbsSum || kind == ReduceKind::AbsMax)
    element = mathOf(MathFn::Abs, accumulator, accumulator, element);
  if (nanWins && accumulator.isFloat() && std::isnan(element.f))
    return element;
  bool keepsNan = nanWins && accumulator.isFloat() && std::isnan(sum.f);
  return keepsNan ? sum : binaryOf(operatorOf(kind), accumulator, sum, element);
}

} // namespace tilescope
