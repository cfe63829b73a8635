#include "core/frontend/expr_operators.h"

#include "core/frontend/builtins.h"
#include "core/frontend/vectors.h"
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

bool isBitwise(BinaryOp op) {
  return op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight || op == BinaryOp::BitAnd ||
         op == BinaryOp::BitOr || op == BinaryOp::BitXor;
}

// A Python number beside an integer of bits is one of its type.
Value asBitsOf(Evaluation &evaluation, const Value &number, const Value &other, Span span) {
  if (!number.isInt() || !other.isExpr())
    return number;
  DType dtype = other.asExpr()->dtype();
  bool isWidened = dtype.isInteger() && !dtype.isBool() && dtype.bits < 32;
  if (!isWidened || !fitsInt32(number.asInt()))
    return number;
  const Expr *expr = toExprOf(evaluation, dtype, number, span);
  return expr ? Value::expr(expr) : number;
}

} // namespace

std::optional<DType> toDType(Evaluation &evaluation, Value value, Span span) {
  std::optional<llvm::StringRef> text = textOf(plainOf(value));
  if (const auto *opaque = value.as<OpaqueObject>()) {
    llvm::StringRef path = opaque->path;
    if (path.consume_front("torch."))
      text = path;
  }
  // `int`, `float` and `bool` themselves stand for types too.
  if (const auto *builtin = value.as<BuiltinObject>(); builtin && builtin->info.space.empty())
    text = builtin->info.name;
  if (!text) {
    evaluation.fail(DiagId::NotADType, span, phraseFor(value));
    return std::nullopt;
  }
  std::optional<DType> dtype = parseDType(*text);
  if (!dtype && parseVectorType(*text))
    evaluation.fail(DiagId::NotSupportedYet, span, ("the vector type " + *text + " here").str());
  else if (!dtype)
    evaluation.fail(DiagId::NotADType, span, ("'" + *text + "'").str());
  return dtype;
}

const Expr *toExpr(Evaluation &evaluation, Value value, Span span) {
  value = plainOf(value);
  if (value.isExpr())
    return value.asExpr();
  if (value.isBool())
    return evaluation.ir.boolean(value.asBool());
  if (value.isInt())
    return evaluation.ir.integer(value.asInt(),
                                 fitsInt32(value.asInt()) ? DType::int32() : DType::int64());
  if (value.isFloat())
    return evaluation.ir.floating(value.asDouble());
  if (value.isBigInt()) {
    evaluation.fail(DiagId::IntegerTooLarge, span, reprOf(value));
    return nullptr;
  }
  if (const auto *opaque = value.as<OpaqueObject>())
    evaluation.failOpaque(*opaque, span);
  else if (const auto *tensor = value.as<TensorArgumentObject>())
    evaluation.fail(DiagId::TensorNotDeclared, span, tensor->param.name);
  else if (!value.is(ValueKind::Poison))
    evaluation.fail(DiagId::WrongType, span, "a number or an expression", phraseFor(value));
  return nullptr;
}

// `expr`: what the value is as an expression.
static const Expr *convert(Evaluation &evaluation, DType dtype, Value value, const Expr *expr) {
  if (expr->dtype() == dtype)
    return expr;
  if (value.isNumber() && dtype.isFloat())
    return evaluation.ir.floating(value.asDouble(), dtype);
  return evaluation.ir.cast(dtype, expr);
}

const Expr *toExprOf(Evaluation &evaluation, DType dtype, Value value, Span span) {
  const Expr *expr = toExpr(evaluation, value, span);
  return expr ? convert(evaluation, dtype, plainOf(value), expr) : nullptr;
}

const Expr *toIndex(Evaluation &evaluation, Value value, llvm::StringRef what, Span span) {
  value = plainOf(value);
  bool isIndex = value.isIntegral() || (value.isExpr() && !value.asExpr()->dtype().isFloat());
  if (!isIndex) {
    if (const auto *opaque = value.as<OpaqueObject>())
      evaluation.failOpaque(*opaque, span);
    else if (!value.is(ValueKind::Poison))
      evaluation.fail(DiagId::WrongType, span, ("an integer as " + what).str(), phraseFor(value));
    return nullptr;
  }
  const Expr *expr =
      toExpr(evaluation, value.isBool() ? Value::integer(value.asInt()) : value, span);
  bool isNarrow = expr->dtype().isBool() || expr->dtype().bits < 32;
  return isNarrow ? evaluation.ir.cast(DType::int32(), expr) : expr;
}

const Expr *narrowIndex(Builder &ir, const Expr *index) {
  if (std::optional<int64_t> constant = constantValue(index))
    return fitsInt32(*constant) ? ir.integer(*constant) : index;
  const auto *cast = llvm::dyn_cast<Cast>(index);
  if (cast && cast->operand->dtype() == DType::int32() && index->dtype() == DType::int64())
    return cast->operand;
  const auto *division = llvm::dyn_cast<Binary>(index);
  if (!division || (division->op != BinaryOp::FloorDiv && division->op != BinaryOp::FloorMod))
    return index;
  const Expr *lhs = narrowIndex(ir, division->lhs), *rhs = narrowIndex(ir, division->rhs);
  bool isNarrow = lhs->dtype() == DType::int32() && rhs->dtype() == DType::int32();
  // Over what is positive no quotient is larger than what is divided.
  return isNarrow && constantValue(rhs).value_or(-1) > 0 ? ir.binary(division->op, lhs, rhs)
                                                         : index;
}

const Expr *toCondition(Evaluation &evaluation, Value value, Span span) {
  const Expr *expr = toExpr(evaluation, value, span);
  if (!expr || expr->dtype().isBool())
    return expr;
  const Expr *zero = expr->dtype().isFloat()
                         ? static_cast<const Expr *>(evaluation.ir.floating(0, expr->dtype()))
                         : evaluation.ir.integer(0, expr->dtype());
  return evaluation.ir.binary(BinaryOp::NotEqual, expr, zero);
}

std::optional<ExprPair> unify(Evaluation &evaluation, Value lhs, Value rhs, Span span) {
  const Expr *a = toExpr(evaluation, lhs, span);
  const Expr *b = a ? toExpr(evaluation, rhs, span) : nullptr;
  if (!b)
    return std::nullopt;
  DType common = lhs.isNumber() && rhs.isExpr()   ? meetNumber(lhs, b->dtype())
                 : rhs.isNumber() && lhs.isExpr() ? meetNumber(rhs, a->dtype())
                                                  : meet(a->dtype(), b->dtype());
  return ExprPair{convert(evaluation, common, lhs, a), convert(evaluation, common, rhs, b)};
}

Value fromExpr(Evaluation &evaluation, const Expr *expr, Span span) {
  auto [depth, nodes] = evaluation.exprSizes.sizeOf(expr);
  if (depth > MaxIrExprDepth || nodes > MaxIrExprNodes)
    return evaluation.failForGood(DiagId::ExpressionTooLarge, span, MaxIrExprDepth, MaxIrExprNodes);
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

Value binaryExprs(Evaluation &evaluation, ast::BinaryOp op, Value lhs, Value rhs, Span span) {
  std::optional<BinaryOp> irOp = irOperator(op);
  if (!irOp)
    return evaluation.fail(DiagId::OperatorOnExpression, span, ast::spelling(op),
                           op == ast::BinaryOp::Pow ? "; write T.pow(x, y)" : "");
  return binaryOf(evaluation, *irOp, lhs, rhs, span);
}

// Bitwise operators on bools are logical ones.
static BinaryOp logicalOf(BinaryOp op) {
  return op == BinaryOp::BitAnd   ? BinaryOp::And
         : op == BinaryOp::BitOr  ? BinaryOp::Or
         : op == BinaryOp::BitXor ? BinaryOp::NotEqual
                                  : op;
}

Value binaryOf(Evaluation &evaluation, BinaryOp op, Value lhs, Value rhs, Span span) {
  if (isBitwise(op)) {
    lhs = asBitsOf(evaluation, lhs, rhs, span);
    rhs = asBitsOf(evaluation, rhs, lhs, span);
  }
  std::optional<ExprPair> pair = unify(evaluation, lhs, rhs, span);
  if (!pair)
    return Value();
  DType dtype = pair->lhs->dtype();
  if (op == BinaryOp::Div && !dtype.isFloat())
    return evaluation.fail(DiagId::OperatorOnType, span, "/", dtype.name(),
                           "; write // or cast to a float");
  bool isIntegerOnly = op == BinaryOp::FloorDiv || op == BinaryOp::FloorMod || isBitwise(op);
  if (isIntegerOnly && dtype.isFloat())
    return evaluation.fail(DiagId::OperatorOnType, span, spellingOf(op), dtype.name(), "");
  bool isDivision = op == BinaryOp::FloorDiv || op == BinaryOp::FloorMod;
  if (isDivision && constantValue(pair->rhs) == 0)
    return evaluation.fail(DiagId::DivisionByZero, span);
  op = dtype.isBool() ? logicalOf(op) : op;
  if (dtype.isBool() && !isPredicate(op))
    pair = ExprPair{evaluation.ir.cast(DType::int32(), pair->lhs),
                    evaluation.ir.cast(DType::int32(), pair->rhs)};
  return fromExpr(evaluation, evaluation.ir.binary(op, pair->lhs, pair->rhs), span);
}

Value compareExprs(Evaluation &evaluation, ast::CompareOp op, Value lhs, Value rhs, Span span) {
  using Op = ast::CompareOp;
  BinaryOp irOp = op == Op::Eq   ? BinaryOp::Equal
                  : op == Op::Ne ? BinaryOp::NotEqual
                  : op == Op::Lt ? BinaryOp::Less
                  : op == Op::Le ? BinaryOp::LessEqual
                  : op == Op::Gt ? BinaryOp::Greater
                                 : BinaryOp::GreaterEqual;
  return binaryOf(evaluation, irOp, lhs, rhs, span);
}

Value unaryExpr(Evaluation &evaluation, ast::UnaryOp op, Value operand, Span span) {
  const Expr *expr = operand.asExpr();
  if (op == ast::UnaryOp::Plus)
    return operand;
  if (op == ast::UnaryOp::Invert && expr->dtype().isFloat())
    return evaluation.fail(DiagId::OperatorOnType, span, "~", expr->dtype().name(), "");
  if (op == ast::UnaryOp::Invert && expr->dtype().isBool())
    return fromExpr(evaluation, evaluation.ir.unary(UnaryOp::Not, expr), span);
  if (expr->dtype().isBool())
    expr = evaluation.ir.cast(DType::int32(), expr);
  UnaryOp irOp = op == ast::UnaryOp::Invert ? UnaryOp::BitNot : UnaryOp::Negate;
  return fromExpr(evaluation, evaluation.ir.unary(irOp, expr), span);
}

Value select(Evaluation &evaluation, Value condition, Value whenTrue, Value whenFalse, Span span) {
  if (hasLanes({condition, whenTrue, whenFalse}))
    return overLanes(evaluation, {condition, whenTrue, whenFalse}, span,
                     [&](llvm::ArrayRef<Value> scalars) {
                       return select(evaluation, scalars[0], scalars[1], scalars[2], span);
                     });
  const Expr *test = toCondition(evaluation, condition, span);
  if (!test)
    return Value();
  std::optional<ExprPair> sides = unify(evaluation, whenTrue, whenFalse, span);
  if (!sides)
    return Value();
  return fromExpr(evaluation, evaluation.ir.select(test, sides->lhs, sides->rhs), span);
}

} // namespace tilescope::frontend
