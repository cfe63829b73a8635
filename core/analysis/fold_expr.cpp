#include "core/analysis/fold_expr.h"

#include "core/analysis/ir_affine.h"
#include "core/ir/expr_equal.h"

#include <cmath>

namespace tilescope {

namespace {

std::optional<double> floatValue(const Expr *expr) {
  if (const auto *imm = llvm::dyn_cast<FloatImm>(expr))
    return imm->value;
  return std::nullopt;
}

bool isWideFloat(DType dtype) { return dtype.kind == DTypeKind::Float && dtype.bits >= 32; }

double roundTo(DType dtype, double value) {
  return dtype.bits == 32 ? double(float(value)) : value;
}

// A double operation on two floats, rounded once more, gives the float result for + - * / (the
// double has more than twice the digits).
std::optional<double> compute(BinaryOp op, double a, double b) {
  switch (op) {
  case BinaryOp::Add:
    return a + b;
  case BinaryOp::Sub:
    return a - b;
  case BinaryOp::Mul:
    return a * b;
  case BinaryOp::Div:
    return b == 0 ? std::nullopt : std::optional(a / b);
  case BinaryOp::Min:
    return std::fmin(a, b);
  case BinaryOp::Max:
    return std::fmax(a, b);
  default:
    return std::nullopt;
  }
}

std::optional<bool> compare(BinaryOp op, double a, double b) {
  switch (op) {
  case BinaryOp::Equal:
    return a == b;
  case BinaryOp::NotEqual:
    return a != b;
  case BinaryOp::Less:
    return a < b;
  case BinaryOp::LessEqual:
    return a <= b;
  case BinaryOp::Greater:
    return a > b;
  case BinaryOp::GreaterEqual:
    return a >= b;
  default:
    return std::nullopt;
  }
}

const Expr *foldFloatBinary(Builder &builder, const Binary &binary) {
  DType dtype = binary.lhs->dtype();
  std::optional<double> a = floatValue(binary.lhs);
  std::optional<double> b = floatValue(binary.rhs);
  if (a && b && isWideFloat(dtype)) {
    if (std::optional<bool> answer = compare(binary.op, roundTo(dtype, *a), roundTo(dtype, *b)))
      return builder.boolean(*answer);
    if (std::optional<double> value = compute(binary.op, roundTo(dtype, *a), roundTo(dtype, *b)))
      return builder.floating(roundTo(dtype, *value), dtype);
  }
  if (binary.op == BinaryOp::Mul && a == 1)
    return binary.rhs;
  if ((binary.op == BinaryOp::Mul || binary.op == BinaryOp::Div) && b == 1)
    return binary.lhs;
  if (binary.op == BinaryOp::Sub && b == 0 && !std::signbit(*b))
    return binary.lhs;
  return &binary;
}

const Expr *foldLogical(Builder &builder, const Binary &binary) {
  bool isAnd = binary.op == BinaryOp::And;
  std::optional<int64_t> a = constantValue(binary.lhs);
  std::optional<int64_t> b = constantValue(binary.rhs);
  if (a)
    return (*a != 0) == isAnd ? binary.rhs : builder.boolean(!isAnd);
  if (b)
    return (*b != 0) == isAnd ? binary.lhs : builder.boolean(!isAnd);
  return isSameExpr(binary.lhs, binary.rhs) ? binary.lhs : &binary;
}

std::optional<BinaryOp> oppositeOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::Equal:
    return BinaryOp::NotEqual;
  case BinaryOp::NotEqual:
    return BinaryOp::Equal;
  case BinaryOp::Less:
    return BinaryOp::GreaterEqual;
  case BinaryOp::LessEqual:
    return BinaryOp::Greater;
  case BinaryOp::Greater:
    return BinaryOp::LessEqual;
  case BinaryOp::GreaterEqual:
    return BinaryOp::Less;
  default:
    return std::nullopt;
  }
}

const Expr *foldNot(Builder &builder, const Unary &unary) {
  if (std::optional<int64_t> value = constantValue(unary.operand))
    return builder.boolean(*value == 0);
  if (const auto *inner = llvm::dyn_cast<Unary>(unary.operand); inner && inner->op == UnaryOp::Not)
    return inner->operand;
  const auto *binary = llvm::dyn_cast<Binary>(unary.operand);
  // With a NaN neither `a < b` nor `a >= b` holds.
  if (binary && binary->lhs->dtype().isInteger())
    if (std::optional<BinaryOp> opposite = oppositeOf(binary->op))
      return builder.binary(*opposite, binary->lhs, binary->rhs);
  return &unary;
}

const Expr *foldCast(Builder &builder, const Cast &cast) {
  DType dtype = cast.dtype();
  if (cast.operand->dtype() == dtype)
    return cast.operand;
  std::optional<int64_t> integer = constantValue(cast.operand);
  // Integers of magnitude up to 256 are exact in every type of 16 bits and more.
  if (integer && dtype.isFloat() && dtype.bits >= 16 && std::abs(*integer) <= 256)
    return builder.floating(double(*integer), dtype);
  if (integer && isAffineType(dtype) && (dtype.bits == 64 || *integer == int32_t(*integer)))
    return builder.integer(*integer, dtype);
  if (integer && dtype.isBool())
    return builder.boolean(*integer != 0);
  std::optional<double> value = floatValue(cast.operand);
  if (value && isWideFloat(dtype) && isWideFloat(cast.operand->dtype()))
    return builder.floating(roundTo(dtype, *value), dtype);
  return &cast;
}

const Expr *foldSelect(Builder &builder, const Select &select) {
  if (std::optional<int64_t> condition = constantValue(select.condition))
    return *condition ? select.whenTrue : select.whenFalse;
  if (isSameExpr(select.whenTrue, select.whenFalse))
    return select.whenTrue;
  if (const auto *negation = llvm::dyn_cast<Unary>(select.condition);
      negation && negation->op == UnaryOp::Not)
    return builder.select(negation->operand, select.whenFalse, select.whenTrue);
  return &select;
}

} // namespace

const Expr *foldExpr(Builder &builder, const Expr *expr) {
  if (const auto *binary = llvm::dyn_cast<Binary>(expr)) {
    if (binary->op == BinaryOp::And || binary->op == BinaryOp::Or)
      return foldLogical(builder, *binary);
    return binary->lhs->dtype().isFloat() ? foldFloatBinary(builder, *binary) : expr;
  }
  if (const auto *unary = llvm::dyn_cast<Unary>(expr)) {
    if (unary->op == UnaryOp::Not)
      return foldNot(builder, *unary);
    std::optional<double> value = floatValue(unary->operand);
    return value && unary->op == UnaryOp::Negate ? builder.floating(-*value, unary->dtype()) : expr;
  }
  if (const auto *cast = llvm::dyn_cast<Cast>(expr))
    return foldCast(builder, *cast);
  if (const auto *select = llvm::dyn_cast<Select>(expr))
    return foldSelect(builder, *select);
  return expr;
}

} // namespace tilescope
