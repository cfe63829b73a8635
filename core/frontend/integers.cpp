#include "core/frontend/integers.h"

#include "core/frontend/builtins.h"
#include "core/frontend/operators.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace tilescope::frontend {

static llvm::APInt wholeOf(const Value &value, unsigned bits) {
  if (const auto *big = value.as<BigIntObject>())
    return big->value.sext(bits);
  return llvm::APInt(bits, static_cast<uint64_t>(value.asInt()), true);
}

static unsigned bitsOf(const Value &value) {
  const auto *big = value.as<BigIntObject>();
  return big ? big->value.getBitWidth() : 64;
}

Value integerOf(Evaluation &evaluation, const llvm::APInt &value, Span span) {
  unsigned bits = value.getSignificantBits();
  if (bits <= 64)
    return Value::integer(value.getSExtValue());
  if (bits > MaxIntegerBits)
    return evaluation.fail(DiagId::IntegerLimit, span, MaxIntegerBits);
  evaluation.heap.charge(bits / 8);
  return evaluation.heap.make<BigIntObject>(llvm::APSInt(value.trunc(bits), false));
}

Value integerOf(Evaluation &evaluation, double whole, Span span) {
  if (!std::isfinite(whole))
    return evaluation.fail(DiagId::NotWhole, span, reprOf(Value::floating(whole)));
  // Doubles fit 1025 bits.
  llvm::APSInt value(1088, false);
  bool isExact = false;
  llvm::APFloat(whole).convertToInteger(value, llvm::APFloat::rmTowardZero, &isExact);
  return integerOf(evaluation, value, span);
}

Value integerOf(Evaluation &evaluation, llvm::StringRef digits, unsigned radix, Span span) {
  // No digit of an integer within the limit is worth less than one bit.
  llvm::APInt magnitude;
  if (digits.size() > MaxIntegerBits || digits.getAsInteger(radix, magnitude))
    return evaluation.fail(DiagId::IntegerLimit, span, MaxIntegerBits);
  return integerOf(evaluation, magnitude.zext(magnitude.getBitWidth() + 1), span);
}

// Precondition: `bits` hold every product on the way; false when the result passes the limit.
static bool raise(llvm::APInt base, uint64_t exponent, llvm::APInt &result) {
  result = llvm::APInt(base.getBitWidth(), 1);
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1)
      result *= base;
    if (exponent > 1)
      base *= base;
    if (result.getSignificantBits() > MaxIntegerBits || base.getSignificantBits() > MaxIntegerBits)
      return false;
  }
  return true;
}

static llvm::APInt floorDivide(const llvm::APInt &a, const llvm::APInt &b) {
  return llvm::APIntOps::RoundingSDiv(a, b, llvm::APInt::Rounding::DOWN);
}

// Precondition: a divisor is not 0; a count and an exponent are 0 to INT64_MAX. False past the
// limit.
static bool fold(ast::BinaryOp op, const llvm::APInt &a, const llvm::APInt &b,
                 llvm::APInt &result) {
  using Op = ast::BinaryOp;
  switch (op) {
  case Op::Add:
    result = a + b;
    return true;
  case Op::Sub:
    result = a - b;
    return true;
  case Op::Mul:
    result = a * b;
    return true;
  case Op::FloorDiv:
    result = floorDivide(a, b);
    return true;
  case Op::Mod:
    result = a - floorDivide(a, b) * b;
    return true;
  case Op::BitAnd:
    result = a & b;
    return true;
  case Op::BitOr:
    result = a | b;
    return true;
  case Op::BitXor:
    result = a ^ b;
    return true;
  case Op::ShiftRight:
    result = a.ashr(b.getLimitedValue(a.getBitWidth() - 1));
    return true;
  case Op::ShiftLeft:
    if (!a.isZero() && b.getLimitedValue() > MaxIntegerBits)
      return false;
    result = a.isZero() ? a : a.shl(static_cast<unsigned>(b.getZExtValue()));
    return true;
  case Op::Pow:
    return raise(a, b.getZExtValue(), result);
  case Op::Div:
  case Op::MatMul:
    break;
  }
  return false;
}

Value binaryBigIntegers(Evaluation &evaluation, ast::BinaryOp op, Value lhs, Value rhs, Span span) {
  using Op = ast::BinaryOp;
  if (op == Op::MatMul)
    return unsupportedOperands(evaluation, "@", lhs, rhs, span);
  bool isNegative = orderOfNumbers(rhs, Value::integer(0)) < 0;
  if (op == Op::Div || (op == Op::Pow && isNegative)) {
    double a = lhs.asDouble();
    double b = rhs.asDouble();
    // A quotient of two numbers past the doubles may be a double again; this does not find it.
    if (!std::isfinite(a) || !std::isfinite(b))
      return evaluation.fail(DiagId::IntegerLimit, span, 1024);
    return binaryFloats(evaluation, op, a, b, span);
  }
  bool isShift = op == Op::ShiftLeft || op == Op::ShiftRight;
  if (isShift && isNegative)
    return evaluation.fail(DiagId::NegativeShift, span, reprOf(rhs));
  if ((isShift || op == Op::Pow) && !rhs.isIntegral())
    return evaluation.fail(DiagId::IntegerLimit, span, MaxIntegerBits);
  bool grows = op == Op::Pow || op == Op::ShiftLeft;
  unsigned bits = 2 * (grows ? MaxIntegerBits : std::max(bitsOf(lhs), bitsOf(rhs))) + 64;
  // Long multiplication, in steps of some ten machine instructions.
  evaluation.spendSteps(uint64_t{bits / 64} * (bits / 64) / 16);
  llvm::APInt result;
  return fold(op, wholeOf(lhs, bits), wholeOf(rhs, bits), result)
             ? integerOf(evaluation, result, span)
             : evaluation.fail(DiagId::IntegerLimit, span, MaxIntegerBits);
}

Value intBitLength(Args &args) {
  llvm::APInt value = wholeOf(args.self, bitsOf(args.self) + 1);
  return Value::integer(value.abs().getActiveBits());
}

Value floatIsInteger(Args &args) {
  double value = args.self.asDouble();
  return Value::boolean(std::isfinite(value) && std::trunc(value) == value);
}

} // namespace tilescope::frontend
