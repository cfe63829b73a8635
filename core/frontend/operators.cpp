#include "core/frontend/operators.h"

#include "core/frontend/collections.h"
#include "core/frontend/enums.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/formatting.h"
#include "core/frontend/functions.h"
#include "core/frontend/host_tensors.h"
#include "core/frontend/integers.h"
#include "core/frontend/vectors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace tilescope::frontend {

Value unsupportedOperands(Evaluation &evaluation, llvm::StringRef op, Value lhs, Value rhs,
                          Span span) {
  for (const Value &side : {lhs, rhs})
    if (const auto *opaque = side.as<OpaqueObject>())
      return evaluation.failOpaque(*opaque, span);
  return evaluation.fail(DiagId::BadOperands, span, op, phraseFor(lhs), phraseFor(rhs));
}

// nullopt on overflow.
static std::optional<int64_t> integerPower(int64_t base, int64_t exponent) {
  int64_t result = 1;
  while (exponent > 0) {
    if ((exponent & 1) && __builtin_mul_overflow(result, base, &result))
      return std::nullopt;
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base))
      return std::nullopt;
  }
  return result;
}

static std::optional<int64_t> shiftLeft(int64_t value, int64_t count) {
  if (value == 0)
    return 0;
  if (count > 62)
    return std::nullopt;
  int64_t result = 0;
  if (__builtin_mul_overflow(value, int64_t{1} << count, &result))
    return std::nullopt;
  return result;
}

// nullopt on overflow. Precondition: divisors are not 0, shift counts and exponents not negative.
static std::optional<int64_t> foldIntegers(ast::BinaryOp op, int64_t a, int64_t b) {
  using Op = ast::BinaryOp;
  int64_t result = 0;
  bool overflows = false;
  switch (op) {
  case Op::Add:
    overflows = __builtin_add_overflow(a, b, &result);
    break;
  case Op::Sub:
    overflows = __builtin_sub_overflow(a, b, &result);
    break;
  case Op::Mul:
    overflows = __builtin_mul_overflow(a, b, &result);
    break;
  case Op::FloorDiv:
    if (b == -1)
      overflows = __builtin_sub_overflow(int64_t{0}, a, &result);
    else
      result = llvm::divideFloorSigned(a, b);
    break;
  case Op::Mod:
    result = b == -1 ? 0 : a - llvm::divideFloorSigned(a, b) * b;
    break;
  case Op::Pow:
    return integerPower(a, b);
  case Op::ShiftLeft:
    return shiftLeft(a, b);
  case Op::ShiftRight:
    return a >> std::min<int64_t>(b, 63);
  case Op::BitAnd:
    return a & b;
  case Op::BitOr:
    return a | b;
  case Op::BitXor:
    return a ^ b;
  case Op::Div:
  case Op::MatMul:
    break;
  }
  return overflows ? std::nullopt : std::optional(result);
}

static Value binaryIntegers(Evaluation &evaluation, ast::BinaryOp op, int64_t lhs, int64_t rhs,
                            Span span) {
  using Op = ast::BinaryOp;
  if ((op == Op::Div || op == Op::FloorDiv || op == Op::Mod) && rhs == 0)
    return evaluation.fail(DiagId::DivisionByZero, span);
  if (op == Op::Div)
    return Value::floating(static_cast<double>(lhs) / static_cast<double>(rhs));
  if (op == Op::Pow && rhs < 0)
    return binaryFloats(evaluation, op, static_cast<double>(lhs), static_cast<double>(rhs), span);
  if (op == Op::MatMul)
    return unsupportedOperands(evaluation, "@", Value::integer(lhs), Value::integer(rhs), span);
  if ((op == Op::ShiftLeft || op == Op::ShiftRight) && rhs < 0)
    return evaluation.fail(DiagId::NegativeShift, span, rhs);
  std::optional<int64_t> result = foldIntegers(op, lhs, rhs);
  if (!result)
    return binaryBigIntegers(evaluation, op, Value::integer(lhs), Value::integer(rhs), span);
  return Value::integer(*result);
}

static Value binaryNumbers(Evaluation &evaluation, ast::BinaryOp op, Value lhs, Value rhs,
                           Span span) {
  if (!lhs.isFloat() && !rhs.isFloat()) {
    if (lhs.isBigInt() || rhs.isBigInt())
      return binaryBigIntegers(evaluation, op, lhs, rhs, span);
    bool areBits =
        lhs.isBool() && rhs.isBool() &&
        (op == ast::BinaryOp::BitAnd || op == ast::BinaryOp::BitOr || op == ast::BinaryOp::BitXor);
    Value result = binaryIntegers(evaluation, op, lhs.asInt(), rhs.asInt(), span);
    return areBits && result ? Value::boolean(result.asInt() != 0) : result;
  }
  return binaryFloats(evaluation, op, lhs.asDouble(), rhs.asDouble(), span);
}

static Value repeat(Evaluation &evaluation, Value sequence, int64_t times, Span span) {
  std::optional<llvm::StringRef> text = textOf(sequence);
  const Values *items = sequenceItems(sequence);
  if ((!text && !items) || sequence.is(ValueKind::Set))
    return unsupportedOperands(evaluation, "*", sequence, Value::integer(times), span);
  uint64_t count = times > 0 ? static_cast<uint64_t>(times) : 0;
  uint64_t length = text ? text->size() : items->size();
  uint64_t total = 0;
  if (__builtin_mul_overflow(length, count, &total))
    total = UINT64_MAX;
  if (!evaluation.chargeLength(total, span))
    return Value();
  if (text) {
    std::string out;
    for (uint64_t i = 0; total != 0 && i < count; ++i)
      out += *text;
    return evaluation.heap.string(std::move(out));
  }
  Values out;
  for (uint64_t i = 0; total != 0 && i < count; ++i)
    out.insert(out.end(), items->begin(), items->end());
  return sequence.is(ValueKind::List) ? evaluation.heap.list(std::move(out))
                                      : evaluation.heap.tuple(std::move(out));
}

static Value binarySequences(Evaluation &evaluation, ast::BinaryOp op, Value lhs, Value rhs,
                             Span span) {
  using Op = ast::BinaryOp;
  std::optional<llvm::StringRef> text = textOf(lhs);
  if (op == Op::Mod && text)
    return formatPercent(evaluation, text->str(), rhs, span);
  if (op == Op::Mul && rhs.isIntegral())
    return repeat(evaluation, lhs, rhs.asInt(), span);
  if (op == Op::Mul && lhs.isIntegral())
    return repeat(evaluation, rhs, lhs.asInt(), span);
  if (op == Op::Add && text && textOf(rhs)) {
    if (!evaluation.chargeLength(text->size() + textOf(rhs)->size(), span))
      return Value();
    return evaluation.heap.string((*text + *textOf(rhs)).str());
  }
  if (lhs.is(ValueKind::Set) && rhs.is(ValueKind::Set))
    return binarySets(evaluation, op, *lhs.as<SetObject>(), *rhs.as<SetObject>(), span);
  if (op == Op::BitOr && lhs.is(ValueKind::Dict) && rhs.is(ValueKind::Dict))
    return mergeDicts(evaluation, *lhs.as<DictObject>(), *rhs.as<DictObject>(), span);
  const Values *left = sequenceItems(lhs);
  const Values *right = sequenceItems(rhs);
  bool isJoin =
      op == Op::Add && left && right && lhs.kind() == rhs.kind() && !lhs.is(ValueKind::Set);
  if (!isJoin)
    return unsupportedOperands(evaluation, ast::spelling(op), lhs, rhs, span);
  if (!evaluation.chargeLength(left->size() + right->size(), span))
    return Value();
  Values items = *left;
  items.insert(items.end(), right->begin(), right->end());
  return lhs.is(ValueKind::List) ? evaluation.heap.list(std::move(items))
                                 : evaluation.heap.tuple(std::move(items));
}

Value binary(Evaluation &evaluation, ast::BinaryOp op, Value lhs, Value rhs, Span span) {
  lhs = plainOf(lhs);
  rhs = plainOf(rhs);
  if (lhs.isNumber() && rhs.isNumber())
    return binaryNumbers(evaluation, op, lhs, rhs, span);
  bool areScalars = (lhs.isExpr() || lhs.isNumber()) && (rhs.isExpr() || rhs.isNumber());
  if (areScalars)
    return binaryExprs(evaluation, op, lhs, rhs, span);
  if (hasLanes({lhs, rhs}))
    return overLanes(evaluation, {lhs, rhs}, span, [&](llvm::ArrayRef<Value> scalars) {
      return binary(evaluation, op, scalars[0], scalars[1], span);
    });
  if (lhs.is(ValueKind::HostTensor) || rhs.is(ValueKind::HostTensor))
    return binaryHostTensors(evaluation, op, lhs, rhs, span);
  return binarySequences(evaluation, op, lhs, rhs, span);
}

Value binaryFloats(Evaluation &evaluation, ast::BinaryOp op, double lhs, double rhs, Span span) {
  using Op = ast::BinaryOp;
  if ((op == Op::Div || op == Op::FloorDiv || op == Op::Mod) && rhs == 0)
    return evaluation.fail(DiagId::DivisionByZero, span);
  switch (op) {
  case Op::Add:
    return Value::floating(lhs + rhs);
  case Op::Sub:
    return Value::floating(lhs - rhs);
  case Op::Mul:
    return Value::floating(lhs * rhs);
  case Op::Div:
    return Value::floating(lhs / rhs);
  case Op::FloorDiv:
    return Value::floating(std::floor(lhs / rhs));
  case Op::Mod: {
    double rest = std::fmod(lhs, rhs);
    bool hasWrongSign = rest != 0 && (rest < 0) != (rhs < 0);
    return Value::floating(hasWrongSign ? rest + rhs : rest);
  }
  case Op::Pow:
    if (lhs == 0 && rhs < 0)
      return evaluation.fail(DiagId::DivisionByZero, span);
    return Value::floating(std::pow(lhs, rhs));
  default:
    return unsupportedOperands(evaluation, ast::spelling(op), Value::floating(lhs),
                               Value::floating(rhs), span);
  }
}

Value unary(Evaluation &evaluation, ast::UnaryOp op, Value operand, Span span) {
  operand = plainOf(operand);
  if (hasLanes(operand))
    return overLanes(evaluation, operand, span, [&](llvm::ArrayRef<Value> scalars) {
      return unary(evaluation, op, scalars.front(), span);
    });
  if (op == ast::UnaryOp::Not)
    return logicalNot(evaluation, operand, span);
  if (operand.isExpr())
    return unaryExpr(evaluation, op, operand, span);
  if (!operand.isNumber() || (op == ast::UnaryOp::Invert && operand.isFloat())) {
    if (const auto *opaque = operand.as<OpaqueObject>())
      return evaluation.failOpaque(*opaque, span);
    return evaluation.fail(DiagId::BadOperand, span, op == ast::UnaryOp::Invert ? "~" : "-",
                           phraseFor(operand));
  }
  switch (op) {
  case ast::UnaryOp::Negate:
    if (operand.isFloat())
      return Value::floating(-operand.asDouble());
    return binary(evaluation, ast::BinaryOp::Sub, Value::integer(0), operand, span);
  case ast::UnaryOp::Invert:
    return binary(evaluation, ast::BinaryOp::Sub, Value::integer(-1), operand, span);
  default:
    return operand.isBool() ? Value::integer(operand.asInt()) : operand;
  }
}

Value logicalNot(Evaluation &evaluation, Value operand, Span span) {
  if (operand.isExpr()) {
    const Expr *condition = toCondition(evaluation, operand, span);
    return condition ? fromExpr(evaluation, evaluation.ir.unary(UnaryOp::Not, condition), span)
                     : Value();
  }
  std::optional<bool> truth = truthOf(evaluation, operand, span);
  return truth ? Value::boolean(!*truth) : Value();
}

std::optional<bool> truthOf(Evaluation &evaluation, Value value, Span span) {
  value = plainOf(value);
  switch (value.kind()) {
  case ValueKind::None:
    return false;
  case ValueKind::Bool:
  case ValueKind::Int:
    return value.asInt() != 0;
  case ValueKind::Float:
    return value.asDouble() != 0;
  case ValueKind::String:
    return !value.as<StringObject>()->text.empty();
  case ValueKind::Dict:
    return !value.as<DictObject>()->items.empty();
  case ValueKind::Range:
    return value.as<RangeObject>()->size() != 0;
  case ValueKind::Expr:
    if (const auto *imm = llvm::dyn_cast<IntImm>(value.asExpr()))
      return imm->value != 0;
    evaluation.fail(DiagId::ConditionUnknown, span);
    return std::nullopt;
  case ValueKind::Opaque:
    evaluation.failOpaque(*value.as<OpaqueObject>(), span);
    return std::nullopt;
  case ValueKind::Buffer:
  case ValueKind::Region:
  case ValueKind::Vector:
    evaluation.fail(DiagId::WrongType, span, "a condition", phraseFor(value));
    return std::nullopt;
  case ValueKind::TensorArgument:
    evaluation.fail(DiagId::TensorNotDeclared, span, value.as<TensorArgumentObject>()->param.name);
    return std::nullopt;
  default:
    if (const Values *items = sequenceItems(value))
      return !items->empty();
    return true;
  }
}

static Value contains(Evaluation &evaluation, Value container, Value item, Span span) {
  container = plainOf(container);
  if (auto *dict = container.as<DictObject>())
    return Value::boolean(findItem(evaluation, *dict, item) != nullptr);
  if (std::optional<llvm::StringRef> text = textOf(container)) {
    std::optional<llvm::StringRef> part = textOf(plainOf(item));
    if (!part)
      return unsupportedOperands(evaluation, "in", item, container, span);
    evaluation.spend(text->size());
    return Value::boolean(text->contains(*part));
  }
  Value number = plainOf(item);
  if (const auto *range = container.as<RangeObject>(); range && number.isIntegral()) {
    int64_t value = number.asInt();
    bool isInside = range->step > 0 ? value >= range->start && value < range->stop
                                    : value <= range->start && value > range->stop;
    return Value::boolean(isInside && (value - range->start) % range->step == 0);
  }
  const Values *members = enumMembers(container);
  const Values *items = members ? members : sequenceItems(container);
  if (!items)
    return unsupportedOperands(evaluation, "in", item, container, span);
  return Value::boolean(
      llvm::any_of(*items, [&](const Value &other) { return areEqual(evaluation, other, item); }));
}

bool areEqual(Evaluation &evaluation, const Value &a, const Value &b) {
  uint64_t work = 0;
  std::optional<bool> equal = areEqual(a, b, work, evaluation.stepsLeft() * 16);
  evaluation.spend(work);
  if (!equal && !evaluation.isDead)
    evaluation.failOutOfSteps();
  return equal.value_or(false);
}

Value compare(Evaluation &evaluation, ast::CompareOp op, Value lhs, Value rhs, Span span) {
  using Op = ast::CompareOp;
  switch (op) {
  case Op::Is:
    return Value::boolean(areSame(lhs, rhs));
  case Op::IsNot:
    return Value::boolean(!areSame(lhs, rhs));
  case Op::In:
  case Op::NotIn: {
    Value found = contains(evaluation, rhs, lhs, span);
    return op == Op::In || !found ? found : Value::boolean(!found.asBool());
  }
  default:
    break;
  }
  lhs = plainOf(lhs);
  rhs = plainOf(rhs);
  bool areScalars = (lhs.isExpr() || lhs.isNumber()) && (rhs.isExpr() || rhs.isNumber());
  if (areScalars && (lhs.isExpr() || rhs.isExpr()))
    return compareExprs(evaluation, op, lhs, rhs, span);
  if (hasLanes({lhs, rhs}))
    return overLanes(evaluation, {lhs, rhs}, span, [&](llvm::ArrayRef<Value> scalars) {
      return compare(evaluation, op, scalars[0], scalars[1], span);
    });
  if (op == Op::Eq || op == Op::Ne) {
    for (const Value &side : {lhs, rhs})
      if (auto *instance = side.as<InstanceObject>();
          instance && memberOf(*instance->type, "__eq__"))
        return evaluation.fail(DiagId::NotSupportedYet, span, "'__eq__' of a class");
    return Value::boolean(areEqual(evaluation, lhs, rhs) == (op == Op::Eq));
  }
  if (lhs.is(ValueKind::Set) && rhs.is(ValueKind::Set))
    return compareSets(evaluation, op, *lhs.as<SetObject>(), *rhs.as<SetObject>());
  if (lhs.isNumber() && rhs.isNumber() && !orderOfNumbers(lhs, rhs))
    return Value::boolean(false);
  std::optional<int> order = orderOf(evaluation, lhs, rhs, span);
  if (!order)
    return Value();
  return Value::boolean(op == Op::Lt   ? *order < 0
                        : op == Op::Le ? *order <= 0
                        : op == Op::Gt ? *order > 0
                                       : *order >= 0);
}

std::optional<int> orderOf(Evaluation &evaluation, Value lhs, Value rhs, Span span) {
  lhs = plainOf(lhs);
  rhs = plainOf(rhs);
  if (lhs.isNumber() && rhs.isNumber())
    return orderOfNumbers(lhs, rhs).value_or(0);
  std::optional<llvm::StringRef> left = textOf(lhs);
  std::optional<llvm::StringRef> right = textOf(rhs);
  if (left && right) {
    evaluation.spend(std::min(left->size(), right->size()));
    return left->compare(*right);
  }
  const Values *a = sequenceItems(lhs);
  const Values *b = sequenceItems(rhs);
  bool areComparable = a && b && lhs.kind() == rhs.kind() && !lhs.is(ValueKind::Set);
  if (!areComparable || evaluation.depth >= MaxEvalDepth) {
    unsupportedOperands(evaluation, "<", lhs, rhs, span);
    return std::nullopt;
  }
  ++evaluation.depth;
  std::optional<int> order = 0;
  for (size_t i = 0; order == 0 && i < std::min(a->size(), b->size()); ++i)
    order = evaluation.step(span) ? orderOf(evaluation, (*a)[i], (*b)[i], span) : std::nullopt;
  --evaluation.depth;
  if (order != 0)
    return order;
  return a->size() < b->size() ? -1 : a->size() > b->size();
}

} // namespace tilescope::frontend
