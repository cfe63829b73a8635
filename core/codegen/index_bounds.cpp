#include "core/codegen/index_bounds.h"

#include <algorithm>

namespace tilescope {

namespace {

// Arithmetic that stops at the ends of int64, which stand for "unbounded".
int64_t saturate(__int128 value) {
  return static_cast<int64_t>(std::clamp<__int128>(value, INT64_MIN, INT64_MAX));
}

bool isEnd(int64_t value) { return value == INT64_MIN || value == INT64_MAX; }

int64_t addSaturated(int64_t a, int64_t b) {
  if (isEnd(a))
    return a;
  return isEnd(b) ? b : saturate(static_cast<__int128>(a) + b);
}

Interval product(Interval a, Interval b) {
  __int128 ends[] = {static_cast<__int128>(a.low) * b.low, static_cast<__int128>(a.low) * b.high,
                     static_cast<__int128>(a.high) * b.low, static_cast<__int128>(a.high) * b.high};
  return {saturate(*std::min_element(std::begin(ends), std::end(ends))),
          saturate(*std::max_element(std::begin(ends), std::end(ends)))};
}

int64_t floorQuotient(int64_t a, int64_t b) {
  if (isEnd(a))
    return a;
  return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

Interval quotient(Interval a, Interval b) {
  if (!b.isPositive())
    return {};
  int64_t ends[] = {floorQuotient(a.low, b.low), floorQuotient(a.low, b.high),
                    floorQuotient(a.high, b.low), floorQuotient(a.high, b.high)};
  return {*std::min_element(std::begin(ends), std::end(ends)),
          *std::max_element(std::begin(ends), std::end(ends))};
}

Interval remainder(Interval a, Interval b) {
  if (!b.isPositive())
    return {};
  int64_t last = b.high == INT64_MAX ? INT64_MAX : b.high - 1;
  if (a.isNonNegative())
    return {0, std::min(last, a.high)};
  return {0, last};
}

} // namespace

Interval rangeOf(DType dtype) {
  if (dtype.isBool())
    return {0, 1};
  if (!dtype.isInteger() || dtype.bits >= 64)
    return {dtype.isUnsigned() ? 0 : INT64_MIN, INT64_MAX};
  if (dtype.isUnsigned())
    return {0, (int64_t{1} << dtype.bits) - 1};
  return {-(int64_t{1} << (dtype.bits - 1)), (int64_t{1} << (dtype.bits - 1)) - 1};
}

Interval IndexBounds::ofBinary(const Binary &binary) const {
  Interval a = of(binary.lhs);
  Interval b = of(binary.rhs);
  switch (binary.op) {
  case BinaryOp::Add:
    return {addSaturated(a.low, b.low), addSaturated(a.high, b.high)};
  case BinaryOp::Sub:
    return {addSaturated(a.low, b.high == INT64_MAX ? INT64_MIN : -b.high),
            addSaturated(a.high, b.low == INT64_MIN ? INT64_MAX : -b.low)};
  case BinaryOp::Mul:
    return product(a, b);
  case BinaryOp::FloorDiv:
    return quotient(a, b);
  case BinaryOp::FloorMod:
    return remainder(a, b);
  case BinaryOp::Min:
    return {std::min(a.low, b.low), std::min(a.high, b.high)};
  case BinaryOp::Max:
    return {std::max(a.low, b.low), std::max(a.high, b.high)};
  case BinaryOp::BitAnd:
    if (a.isNonNegative() || b.isNonNegative())
      return {0, a.isNonNegative() && b.isNonNegative() ? std::min(a.high, b.high)
                 : a.isNonNegative()                    ? a.high
                                                        : b.high};
    return rangeOf(binary.dtype());
  case BinaryOp::ShiftRight:
    return a.isNonNegative() ? Interval{0, a.high} : rangeOf(binary.dtype());
  default:
    return rangeOf(binary.dtype());
  }
}

Interval IndexBounds::of(const Expr *expr) const {
  if (const auto *imm = llvm::dyn_cast<IntImm>(expr))
    return {imm->value, imm->value};
  if (const auto *var = llvm::dyn_cast<Var>(expr)) {
    auto found = ranges_.find(var->id.value);
    return found != ranges_.end() ? found->second : rangeOf(var->dtype());
  }
  if (const auto *binary = llvm::dyn_cast<Binary>(expr)) {
    Interval exact = ofBinary(*binary);
    Interval all = rangeOf(expr->dtype());
    bool wraps = expr->dtype().isUnsigned() && (exact.low < all.low || exact.high > all.high);
    return wraps ? all : exact;
  }
  if (const auto *select = llvm::dyn_cast<Select>(expr)) {
    Interval a = of(select->whenTrue);
    Interval b = of(select->whenFalse);
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
  }
  if (const auto *cast = llvm::dyn_cast<Cast>(expr)) {
    Interval all = rangeOf(cast->dtype());
    if (cast->operand->dtype().isFloat())
      return all;
    Interval inner = of(cast->operand);
    return inner.low >= all.low && inner.high <= all.high ? inner : all;
  }
  return rangeOf(expr->dtype());
}

Interval IndexBounds::ofLoop(const Expr *min, const Expr *extent) const {
  Interval first = of(min);
  Interval count = of(extent);
  int64_t last = addSaturated(addSaturated(first.high, count.high), -1);
  return {first.low, std::max(first.low, last)};
}

} // namespace tilescope
