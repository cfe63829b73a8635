// Operators on IR expressions, and how their types meet.
//
//   a Python int      takes the type of a float operand and of an integer of 32 bits or more;
//                     beside narrower integers and bool both become int32
//   a Python float    is float32, and lifts float16, bfloat16, float8 and integers to float32
//   float and int     the float type
//   two floats        the wider; float16 of float16 and bfloat16
//   two integers      the wider; of equal width the unsigned one
#include "core/frontend/interpreter.h"

#include "core/ir/visit.h"

namespace tilescope::frontend {

namespace {

DType meetFloats(DType a, DType b) {
  if (a.bits != b.bits)
    return a.bits > b.bits ? a : b;
  if (a.kind == DTypeKind::BFloat)
    return b;
  return a;
}

DType meetIntegers(DType a, DType b) {
  if (a.isBool())
    return b;
  if (b.isBool() || a.bits > b.bits)
    return a;
  if (b.bits > a.bits)
    return b;
  return a.isUnsigned() ? a : b;
}

DType meet(DType a, DType b) {
  if (a.isFloat() && b.isFloat())
    return meetFloats(a, b);
  if (a.isFloat() || b.isFloat())
    return a.isFloat() ? a : b;
  return meetIntegers(a, b);
}

// The type that a Python number and an expression of type `dtype` meet in.
DType meetNumber(const Value &number, DType dtype) {
  if (number.isFloat())
    return dtype.isFloat() && dtype.bits >= 32 ? dtype : DType::float32();
  if (dtype.isFloat() || (dtype.isInteger() && dtype.bits >= 32))
    return dtype;
  return number.isBool() && dtype.isBool() ? dtype : DType::int32();
}

bool fitsInt32(int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; }

} // namespace

const Expr *Interpreter::toExpr(Value value, Span span) {
  if (value.isExpr())
    return value.asExpr();
  if (value.isBool())
    return ir().boolean(value.asBool());
  if (value.isInt())
    return ir().integer(value.asInt(), fitsInt32(value.asInt()) ? DType::int32() : DType::int64());
  if (value.isFloat())
    return ir().floating(value.asDouble());
  if (value.isBigInt()) {
    fail(DiagId::IntegerTooLarge, span, reprOf(value));
    return nullptr;
  }
  if (const auto *opaque = value.as<OpaqueObject>())
    failOpaque(*opaque, span);
  else if (const auto *tensor = value.as<TensorArgumentObject>())
    fail(DiagId::TensorNotDeclared, span, tensor->param.name);
  else if (!value.is(ValueKind::Poison))
    fail(DiagId::WrongType, span, "a number or an expression", phraseFor(value));
  return nullptr;
}

const Expr *Interpreter::toExprOf(DType dtype, Value value, Span span) {
  const Expr *expr = toExpr(value, span);
  if (!expr || expr->dtype() == dtype)
    return expr;
  if (value.isNumber() && dtype.isFloat())
    return ir().floating(value.asDouble(), dtype);
  return ir().cast(dtype, expr);
}

const Expr *Interpreter::toIndex(Value value, llvm::StringRef what, Span span) {
  bool isIndex = value.isIntegral() || (value.isExpr() && !value.asExpr()->dtype().isFloat());
  if (!isIndex) {
    if (const auto *opaque = value.as<OpaqueObject>())
      failOpaque(*opaque, span);
    else if (!value.is(ValueKind::Poison))
      fail(DiagId::WrongType, span, ("an integer as " + what).str(), phraseFor(value));
    return nullptr;
  }
  const Expr *expr = toExpr(value.isBool() ? Value::integer(value.asInt()) : value, span);
  bool isNarrow = expr->dtype().isBool() || expr->dtype().bits < 32;
  return isNarrow ? ir().cast(DType::int32(), expr) : expr;
}

const Expr *Interpreter::toCondition(Value value, Span span) {
  const Expr *expr = toExpr(value, span);
  if (!expr || expr->dtype().isBool())
    return expr;
  const Expr *zero = expr->dtype().isFloat()
                         ? static_cast<const Expr *>(ir().floating(0, expr->dtype()))
                         : ir().integer(0, expr->dtype());
  return ir().binary(BinaryOp::NotEqual, expr, zero);
}

std::optional<Interpreter::Pair> Interpreter::unify(Value lhs, Value rhs, Span span) {
  const Expr *a = toExpr(lhs, span);
  const Expr *b = a ? toExpr(rhs, span) : nullptr;
  if (!b)
    return std::nullopt;
  DType common = lhs.isNumber() && rhs.isExpr()   ? meetNumber(lhs, b->dtype())
                 : rhs.isNumber() && lhs.isExpr() ? meetNumber(rhs, a->dtype())
                                                  : meet(a->dtype(), b->dtype());
  return Pair{toExprOf(common, lhs, span), toExprOf(common, rhs, span)};
}

// Depth and number of nodes of a tree, each node counted as often as it is reached.
std::pair<uint32_t, uint64_t> Interpreter::measure(const Expr *expr) {
  auto found = measured_.find(expr);
  if (found != measured_.end())
    return found->second;
  uint32_t depth = 0;
  uint64_t nodes = 1;
  forEachChild(expr, [&](const Expr *child) {
    auto [childDepth, childNodes] = measure(child);
    depth = std::max(depth, childDepth);
    nodes = std::min(nodes + childNodes, 2 * MaxIrExprNodes);
  });
  std::pair<uint32_t, uint64_t> result{depth + 1, nodes};
  measured_[expr] = result;
  return result;
}

Value Interpreter::fromExpr(const Expr *expr, Span span) {
  auto [depth, nodes] = measure(expr);
  if (depth > MaxIrExprDepth || nodes > MaxIrExprNodes)
    return failForGood(DiagId::ExpressionTooLarge, span, MaxIrExprDepth, MaxIrExprNodes);
  return Value::expr(expr);
}

static std::optional<BinaryOp> irOperator(ast::BinaryOp op) {
  using Op = ast::BinaryOp;
  switch (op) {
  case Op::Add:
    return BinaryOp::Add;
  case Op::Sub:
    return BinaryOp::Sub;
  case Op::Mul:
    return BinaryOp::Mul;
  case Op::Div:
    return BinaryOp::Div;
  case Op::FloorDiv:
    return BinaryOp::FloorDiv;
  case Op::Mod:
    return BinaryOp::FloorMod;
  case Op::ShiftLeft:
    return BinaryOp::ShiftLeft;
  case Op::ShiftRight:
    return BinaryOp::ShiftRight;
  case Op::BitAnd:
    return BinaryOp::BitAnd;
  case Op::BitOr:
    return BinaryOp::BitOr;
  case Op::BitXor:
    return BinaryOp::BitXor;
  case Op::Pow:
  case Op::MatMul:
    return std::nullopt;
  }
  return std::nullopt;
}

Value Interpreter::binaryExprs(ast::BinaryOp op, Value lhs, Value rhs, Span span) {
  std::optional<BinaryOp> irOp = irOperator(op);
  if (!irOp)
    return fail(DiagId::OperatorOnExpression, span, ast::spelling(op),
                op == ast::BinaryOp::Pow ? "; write T.pow(x, y)" : "");
  return binaryOf(*irOp, lhs, rhs, span);
}

// Bitwise operators on bools are logical ones.
static BinaryOp logicalOf(BinaryOp op) {
  return op == BinaryOp::BitAnd   ? BinaryOp::And
         : op == BinaryOp::BitOr  ? BinaryOp::Or
         : op == BinaryOp::BitXor ? BinaryOp::NotEqual
                                  : op;
}

Value Interpreter::binaryOf(BinaryOp op, Value lhs, Value rhs, Span span) {
  std::optional<Pair> pair = unify(lhs, rhs, span);
  if (!pair)
    return Value();
  DType dtype = pair->lhs->dtype();
  if (op == BinaryOp::Div && !dtype.isFloat())
    return fail(DiagId::OperatorOnType, span, "/", dtype.name(), "; write // or cast to a float");
  bool isIntegerOnly = op == BinaryOp::FloorDiv || op == BinaryOp::FloorMod ||
                       op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight ||
                       op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor;
  if (isIntegerOnly && dtype.isFloat())
    return fail(DiagId::OperatorOnType, span, spellingOf(op), dtype.name(), "");
  bool isDivision = op == BinaryOp::FloorDiv || op == BinaryOp::FloorMod;
  if (isDivision && constantValue(pair->rhs) == 0)
    return fail(DiagId::DivisionByZero, span);
  op = dtype.isBool() ? logicalOf(op) : op;
  if (dtype.isBool() && !isPredicate(op))
    pair = Pair{ir().cast(DType::int32(), pair->lhs), ir().cast(DType::int32(), pair->rhs)};
  return fromExpr(ir().binary(op, pair->lhs, pair->rhs), span);
}

Value Interpreter::compareExprs(ast::CompareOp op, Value lhs, Value rhs, Span span) {
  using Op = ast::CompareOp;
  BinaryOp irOp = op == Op::Eq   ? BinaryOp::Equal
                  : op == Op::Ne ? BinaryOp::NotEqual
                  : op == Op::Lt ? BinaryOp::Less
                  : op == Op::Le ? BinaryOp::LessEqual
                  : op == Op::Gt ? BinaryOp::Greater
                                 : BinaryOp::GreaterEqual;
  return binaryOf(irOp, lhs, rhs, span);
}

Value Interpreter::unaryExpr(ast::UnaryOp op, Value operand, Span span) {
  const Expr *expr = operand.asExpr();
  if (op == ast::UnaryOp::Plus)
    return operand;
  if (op == ast::UnaryOp::Invert && expr->dtype().isFloat())
    return fail(DiagId::OperatorOnType, span, "~", expr->dtype().name(), "");
  if (op == ast::UnaryOp::Invert && expr->dtype().isBool())
    return fromExpr(ir().unary(UnaryOp::Not, expr), span);
  if (expr->dtype().isBool())
    expr = ir().cast(DType::int32(), expr);
  UnaryOp irOp = op == ast::UnaryOp::Invert ? UnaryOp::BitNot : UnaryOp::Negate;
  return fromExpr(ir().unary(irOp, expr), span);
}

Value Interpreter::select(Value condition, Value whenTrue, Value whenFalse, Span span) {
  const Expr *test = toCondition(condition, span);
  if (!test)
    return Value();
  std::optional<Pair> sides = unify(whenTrue, whenFalse, span);
  if (!sides)
    return Value();
  return fromExpr(ir().select(test, sides->lhs, sides->rhs), span);
}

} // namespace tilescope::frontend
