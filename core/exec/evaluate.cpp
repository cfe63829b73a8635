// Expressions of the reference. Floats are computed as the type rounds; integers are 64 bits wide
// and wrap where they are stored or cast.
#include "core/exec/block_frame.h"

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

double mathOf(MathFn fn, double x, double y) { // flat table
  switch (fn) {
  case MathFn::Exp:
  case MathFn::FastExp:
    return std::exp(x);
  case MathFn::Exp2:
    return std::exp2(x);
  case MathFn::Exp10:
    return std::pow(10.0, x);
  case MathFn::Log:
  case MathFn::FastLog:
    return std::log(x);
  case MathFn::Log2:
    return std::log2(x);
  case MathFn::Log10:
    return std::log10(x);
  case MathFn::Sqrt:
    return std::sqrt(x);
  case MathFn::Rsqrt:
    return 1 / std::sqrt(x);
  case MathFn::Sin:
    return std::sin(x);
  case MathFn::Cos:
    return std::cos(x);
  case MathFn::Tanh:
    return std::tanh(x);
  case MathFn::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case MathFn::Erf:
    return std::erf(x);
  case MathFn::Abs:
    return std::fabs(x);
  case MathFn::Floor:
    return std::floor(x);
  case MathFn::Ceil:
    return std::ceil(x);
  case MathFn::Round:
    return std::round(x);
  case MathFn::Trunc:
    return std::trunc(x);
  case MathFn::Pow:
    return std::pow(x, y);
  }
  return x;
}

} // namespace

Number BlockFrame::evaluateBinary(const Binary &binary) {
  Number lhs = evaluate(binary.lhs);
  // Only what decides is evaluated, as in C++: the right side may be guarded by the left.
  if (binary.op == BinaryOp::And && !lhs.i)
    return ofInt(0);
  if (binary.op == BinaryOp::Or && lhs.i)
    return ofInt(1);
  Number rhs = evaluate(binary.rhs);
  DType dtype = binary.lhs->dtype();
  if (dtype.isUnsigned() && dtype.bits == 64)
    if (std::optional<int64_t> result =
            unsignedBinary(binary.op, static_cast<uint64_t>(lhs.i), static_cast<uint64_t>(rhs.i)))
      return ofInt(*result);
  if (!dtype.isFloat())
    return ofInt(integerBinary(binary.op, lhs.i, rhs.i));
  if (isPredicate(binary.op))
    return ofInt(floatCompare(binary.op, lhs.f, rhs.f));
  return ofFloat(binary.dtype(), floatBinary(binary.op, lhs.f, rhs.f));
}

Number BlockFrame::evaluateMath(const Math &math) {
  if (!math.dtype().isFloat()) {
    int64_t integer = evaluate(math.args[0]).i;
    return ofInt(math.dtype().isUnsigned() || integer >= 0 ? integer
                                                           : wrapping(BinaryOp::Sub, 0, integer));
  }
  double x = evaluate(math.args[0]).f;
  double y = math.args.size() > 1 ? evaluate(math.args[1]).f : 0;
  return ofFloat(math.dtype(), mathOf(math.fn, x, y));
}

Number BlockFrame::evaluateLoad(const Load &load) {
  const Tensor &source = tensor(load.buffer);
  int64_t place = source.indexOf(coordinatesIn(source, load.indices));
  if (place < 0)
    return source.isFloat() ? Number{.f = 0} : Number{.i = 0};
  Number value = source.get(place);
  if (thread_ == AllThreads)
    for (const Tensor &copy : copiesOf(load.buffer))
      failUnlessEqual(value, copy.get(place), function_.buffer(load.buffer).name);
  return value;
}

Number BlockFrame::evaluateVar(const Var &var) {
  if (auto found = vars_.find(var.id.value); found != vars_.end())
    return found->second;
  auto own = ownVars_.find(var.id.value);
  assert(own != ownVars_.end() && "variable is used outside its scope");
  if (thread_ != AllThreads)
    return own->second[static_cast<size_t>(thread_)];
  for (Number value : own->second)
    failUnlessEqual(own->second[0], value, var.name);
  return own->second[0];
}

// How the compiler shares out work of all threads is not the kernel's to say.
void BlockFrame::failUnlessEqual(Number first, Number other, llvm::StringRef name) {
  if (first.i != other.i)
    fail(*stmt_, "'" + name.str() +
                     "' differs between threads, and which of them does what here is left to the "
                     "compiler");
}

Number BlockFrame::evaluate(const Expr *expr) {
  switch (expr->kind()) {
  case ExprKind::IntImm:
    return ofInt(llvm::cast<IntImm>(expr)->value);
  case ExprKind::FloatImm:
    return ofFloat(expr->dtype(), llvm::cast<FloatImm>(expr)->value);
  case ExprKind::Var:
    return evaluateVar(*llvm::cast<Var>(expr));
  case ExprKind::Unary: {
    const auto *unary = llvm::cast<Unary>(expr);
    Number operand = evaluate(unary->operand);
    if (unary->op == UnaryOp::Not)
      return ofInt(unary->operand->dtype().isFloat() ? operand.f == 0 : operand.i == 0);
    if (unary->op == UnaryOp::BitNot)
      return ofInt(~operand.i);
    if (expr->dtype().isFloat())
      return ofFloat(expr->dtype(), -operand.f);
    return ofInt(wrapping(BinaryOp::Sub, 0, operand.i));
  }
  case ExprKind::Binary:
    return evaluateBinary(*llvm::cast<Binary>(expr));
  case ExprKind::Cast: {
    const auto *cast = llvm::cast<Cast>(expr);
    return convert(cast->operand->dtype(), cast->dtype(), evaluate(cast->operand));
  }
  case ExprKind::Select: {
    const auto *select = llvm::cast<Select>(expr);
    return evaluate(evaluate(select->condition).i ? select->whenTrue : select->whenFalse);
  }
  case ExprKind::Load:
    return evaluateLoad(*llvm::cast<Load>(expr));
  case ExprKind::Math:
    return evaluateMath(*llvm::cast<Math>(expr));
  }
  return ofInt(0);
}

} // namespace tilescope
