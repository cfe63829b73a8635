#include "core/exec/arithmetic.h"

#include "core/exec/numbers.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tilescope {

namespace {

Number ofInt(int64_t value) {
  Number result;
  result.i = value;
  return result;
}

Number ofFloat(DType dtype, double value) {
  Number result;
  result.f = roundTo(dtype, value);
  return result;
}

// As C++ has it: what is narrower is an int.
Number ofInteger(DType dtype, int64_t value) {
  if (dtype.isBool() || dtype.bits >= 64)
    return ofInt(value);
  return ofInt(wrapTo(dtype.bits < 32 ? DType::int32() : dtype, value));
}

int64_t wrapping(BinaryOp op, int64_t a, int64_t b) {
  auto x = static_cast<uint64_t>(a);
  auto y = static_cast<uint64_t>(b);
  if (op == BinaryOp::Add)
    return static_cast<int64_t>(x + y);
  return static_cast<int64_t>(op == BinaryOp::Sub ? x - y : x * y);
}

int64_t floorDivide(int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return 0;
  return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

// What differs between int64 and uint64: the order, quotients, what a shift moves in.
std::optional<int64_t> unsignedBinary(BinaryOp op, uint64_t a, uint64_t b) {
  switch (op) {
  case BinaryOp::FloorDiv:
    return static_cast<int64_t>(b == 0 ? 0 : a / b);
  case BinaryOp::FloorMod:
    return static_cast<int64_t>(b == 0 ? a : a % b);
  case BinaryOp::ShiftRight:
    return static_cast<int64_t>(b > 63 ? 0 : a >> b);
  case BinaryOp::Min:
    return static_cast<int64_t>(std::min(a, b));
  case BinaryOp::Max:
    return static_cast<int64_t>(std::max(a, b));
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

int64_t integerBinary(BinaryOp op, int64_t a, int64_t b) { // flat table
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
  case BinaryOp::Mul:
    return wrapping(op, a, b);
  case BinaryOp::Div:
  case BinaryOp::FloorDiv:
    return floorDivide(a, b);
  case BinaryOp::FloorMod:
    return wrapping(BinaryOp::Sub, a, wrapping(BinaryOp::Mul, floorDivide(a, b), b));
  case BinaryOp::BitAnd:
    return a & b;
  case BinaryOp::BitOr:
    return a | b;
  case BinaryOp::BitXor:
    return a ^ b;
  case BinaryOp::ShiftLeft:
    return b < 0 || b > 63 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(a) << b);
  case BinaryOp::ShiftRight:
    return b < 0 || b > 63 ? 0 : a >> b;
  case BinaryOp::Min:
    return std::min(a, b);
  case BinaryOp::Max:
    return std::max(a, b);
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
  case BinaryOp::And:
    return a && b;
  case BinaryOp::Or:
    return a || b;
  }
  return 0;
}

bool floatCompare(BinaryOp op, double a, double b) {
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
  default:
    return a >= b;
  }
}

double floatBinary(BinaryOp op, double a, double b) {
  switch (op) {
  case BinaryOp::Add:
    return a + b;
  case BinaryOp::Sub:
    return a - b;
  case BinaryOp::Mul:
    return a * b;
  case BinaryOp::Min:
    return std::fmin(a, b);
  case BinaryOp::Max:
    return std::fmax(a, b);
  case BinaryOp::FloorDiv:
    return std::floor(a / b);
  case BinaryOp::FloorMod:
    return a - std::floor(a / b) * b;
  default:
    return a / b;
  }
}

} // namespace

DType computedType(const Binary &binary, IntegerWidth width) {
  DType dtype = binary.lhs->dtype();
  bool mayBeWide = dtype.isInteger() && !dtype.isUnsigned() && binary.op != BinaryOp::ShiftLeft;
  return width == IntegerWidth::Index && mayBeWide ? DType::int64() : dtype;
}

IntegerWidth operandWidth(const Expr &expr, IntegerWidth width) {
  if (expr.dtype().isInteger() && expr.dtype().bits == 64)
    width = IntegerWidth::Index;
  const auto *binary = llvm::dyn_cast<Binary>(&expr);
  if (binary && isPredicate(binary->op))
    return binary->lhs->dtype().isFloat() ? IntegerWidth::OfType : IntegerWidth::Index;
  if (const auto *cast = llvm::dyn_cast<Cast>(&expr)) {
    DType from = cast->operand->dtype(), to = cast->dtype();
    bool isOfIndices = from.isInteger() && to.isInteger() && from.isUnsigned() == to.isUnsigned();
    return isOfIndices ? width : IntegerWidth::OfType;
  }
  return llvm::isa<Math>(expr) ? IntegerWidth::OfType : width;
}

Number atomicOf(AtomicKind kind, DType dtype, Number old, Number value) {
  static constexpr BinaryOp Ops[] = {BinaryOp::Add,   BinaryOp::Max,    BinaryOp::Min,
                                     BinaryOp::BitOr, BinaryOp::BitAnd, BinaryOp::BitXor};
  return binaryOf(Ops[static_cast<size_t>(kind)], dtype, old, value);
}

Number bitsAs(DType from, DType to, Number value) {
  return from == to ? value : decode(to, encode(from, value));
}

Number atomicOnBits(AtomicKind kind, DType element, DType dtype, Number old, Number value) {
  return bitsAs(dtype, element, atomicOf(kind, dtype, bitsAs(element, dtype, old), value));
}

Number unaryOf(UnaryOp op, DType dtype, Number operand) {
  if (op == UnaryOp::Not)
    return ofInt(dtype.isFloat() ? operand.f == 0 : operand.i == 0);
  if (op == UnaryOp::BitNot)
    return ofInteger(dtype, ~operand.i);
  if (dtype.isFloat())
    return ofFloat(dtype, -operand.f);
  return ofInteger(dtype, wrapping(BinaryOp::Sub, 0, operand.i));
}

Number binaryOf(BinaryOp op, DType dtype, Number lhs, Number rhs) {
  if (dtype.isUnsigned() && dtype.bits == 64)
    if (std::optional<int64_t> result =
            unsignedBinary(op, static_cast<uint64_t>(lhs.i), static_cast<uint64_t>(rhs.i)))
      return ofInt(*result);
  if (!dtype.isFloat())
    return ofInteger(dtype, integerBinary(op, lhs.i, rhs.i));
  if (isPredicate(op))
    return ofInt(floatCompare(op, lhs.f, rhs.f));
  return ofFloat(dtype, floatBinary(op, lhs.f, rhs.f));
}

Number constantOf(const Expr &literal) {
  if (const auto *integer = llvm::dyn_cast<IntImm>(&literal))
    return ofInt(integer->value);
  return ofFloat(literal.dtype(), llvm::cast<FloatImm>(literal).value);
}

} // namespace tilescope
