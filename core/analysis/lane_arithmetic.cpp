#include "core/analysis/lane_arithmetic.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tilescope {

namespace {

// Nothing for what is not integer arithmetic.
std::optional<int64_t> apply(BinaryOp op, int64_t a, int64_t b) { // flat table
  int64_t result = 0;
  switch (op) {
  case BinaryOp::Add:
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case BinaryOp::Sub:
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case BinaryOp::Mul:
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case BinaryOp::FloorDiv:
    return b <= 0 ? std::nullopt : std::optional(a / b - (a % b < 0));
  case BinaryOp::FloorMod:
    return b <= 0 ? std::nullopt : std::optional(a % b + (a % b < 0 ? b : 0));
  case BinaryOp::Min:
    return std::min(a, b);
  case BinaryOp::Max:
    return std::max(a, b);
  case BinaryOp::BitAnd:
    return a & b;
  case BinaryOp::BitOr:
    return a | b;
  case BinaryOp::BitXor:
    return a ^ b;
  case BinaryOp::ShiftLeft:
    return a < 0 || a >> 31 != 0 || b < 0 || b > 31 ? std::nullopt : std::optional(a << b);
  case BinaryOp::ShiftRight:
    return b < 0 || b > 62 ? std::nullopt : std::optional(a >> b);
  case BinaryOp::Greater:
    return a > b;
  case BinaryOp::GreaterEqual:
    return a >= b;
  case BinaryOp::Less:
    return a < b;
  case BinaryOp::LessEqual:
    return a <= b;
  case BinaryOp::Equal:
    return a == b;
  case BinaryOp::NotEqual:
    return a != b;
  case BinaryOp::And:
    return a != 0 && b != 0;
  case BinaryOp::Or:
    return a != 0 || b != 0;
  default:
    return std::nullopt;
  }
}

// Signed 32- and 64-bit arithmetic is taken not to overflow; all else wraps.
bool mayWrap(DType dtype) { return dtype.isInteger() && (dtype.isUnsigned() || dtype.bits < 32); }

bool fits(const Lanes &lanes, DType dtype) {
  int bits = std::min<int>(dtype.bits, 64) - (dtype.isUnsigned() ? 0 : 1);
  int64_t last = bits >= 63 ? INT64_MAX : (int64_t(1) << bits) - 1;
  int64_t first = dtype.isUnsigned() ? 0 : -last - 1;
  return llvm::all_of(lanes, [&](int64_t lane) { return first <= lane && lane <= last; });
}

} // namespace

LaneArithmetic::Variables LaneArithmetic::hideLanes() {
  Variables all = std::exchange(variables_, Variables());
  for (const auto &[var, lanes] : all)
    if (lanes.size() == 1)
      variables_[var] = lanes;
  return all;
}

Lanes LaneArithmetic::combine(BinaryOp op, const Lanes &a, const Lanes &b) {
  if (a.empty() || b.empty())
    return {};
  auto isZero = [](const Lanes &lanes) { return lanes.size() == 1 && lanes[0] == 0; };
  if (op == BinaryOp::Add && (isZero(a) || isZero(b)))
    return isZero(a) ? b : a;
  Lanes result(std::max(a.size(), b.size()));
  spend(static_cast<int64_t>(result.size()));
  if (isSpent())
    return {};
  bool isKnown = true;
  auto each = [&](auto compute) {
    for (size_t lane = 0; lane != result.size() && isKnown; ++lane)
      isKnown = compute(laneOf(a, lane), laneOf(b, lane), result[lane]);
  };
  // Those that indices are made of are worth a loop of their own.
  if (op == BinaryOp::Add)
    each([](int64_t x, int64_t y, int64_t &sum) { return !__builtin_add_overflow(x, y, &sum); });
  else if (op == BinaryOp::Mul)
    each([](int64_t x, int64_t y, int64_t &all) { return !__builtin_mul_overflow(x, y, &all); });
  else
    each([op](int64_t x, int64_t y, int64_t &value) {
      std::optional<int64_t> known = apply(op, x, y);
      value = known.value_or(0);
      return known.has_value();
    });
  return isKnown ? result : Lanes();
}

Lanes LaneArithmetic::evaluateSelect(const Select &select) {
  Lanes condition = evaluate(select.condition);
  if (condition.size() <= 1)
    return condition.empty() ? Lanes()
                             : evaluate(condition[0] != 0 ? select.whenTrue : select.whenFalse);
  Lanes whenTrue = evaluate(select.whenTrue), whenFalse = evaluate(select.whenFalse);
  if (whenTrue.empty() || whenFalse.empty())
    return {};
  spend(static_cast<int64_t>(condition.size()));
  for (auto [lane, value] : llvm::enumerate(condition))
    value = laneOf(value != 0 ? whenTrue : whenFalse, lane);
  return condition;
}

Lanes LaneArithmetic::evaluate(const Expr *expr) {
  switch (expr->kind()) {
  case ExprKind::IntImm:
    return {llvm::cast<IntImm>(expr)->value};
  case ExprKind::Var: {
    auto found = variables_.find(llvm::cast<Var>(expr));
    return found == variables_.end() ? Lanes() : found->second;
  }
  case ExprKind::Binary: {
    const auto *binary = llvm::cast<Binary>(expr);
    Lanes value = combine(binary->op, evaluate(binary->lhs), evaluate(binary->rhs));
    return mayWrap(binary->dtype()) && !fits(value, binary->dtype()) ? Lanes() : value;
  }
  case ExprKind::Unary: {
    const auto *unary = llvm::cast<Unary>(expr);
    if (unary->op == UnaryOp::BitNot)
      return {};
    BinaryOp op = unary->op == UnaryOp::Negate ? BinaryOp::Sub : BinaryOp::Equal;
    Lanes value = combine(op, {0}, evaluate(unary->operand));
    return mayWrap(unary->dtype()) && !fits(value, unary->dtype()) ? Lanes() : value;
  }
  case ExprKind::Cast: {
    const auto *cast = llvm::cast<Cast>(expr);
    if (!cast->dtype().isInteger() || !cast->operand->dtype().isInteger())
      return {};
    Lanes value = evaluate(cast->operand);
    return fits(value, cast->dtype()) ? value : Lanes();
  }
  case ExprKind::Select:
    return evaluateSelect(*llvm::cast<Select>(expr));
  default:
    return {};
  }
}

} // namespace tilescope
