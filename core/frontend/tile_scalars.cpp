// Scalar functions of the language: on Python numbers they compute, on expressions they build.
#include "core/frontend/buffers.h"
#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/operators.h"
#include "core/frontend/rounded_casts.h"
#include "core/frontend/vectors.h"

#include <cmath>

namespace tilescope::frontend {

static Value binaryOperator(Args &args, ast::BinaryOp op, llvm::StringRef a, llvm::StringRef b) {
  return binary(args.evaluation, op, args[a], args[b], args.span);
}

Value tileFloorDiv(Args &args) { return binaryOperator(args, ast::BinaryOp::FloorDiv, "a", "b"); }
Value tileFloorMod(Args &args) { return binaryOperator(args, ast::BinaryOp::Mod, "a", "b"); }
Value tileShiftLeft(Args &args) { return binaryOperator(args, ast::BinaryOp::ShiftLeft, "x", "y"); }
Value tileShiftRight(Args &args) {
  return binaryOperator(args, ast::BinaryOp::ShiftRight, "x", "y");
}
Value tileBitwiseAnd(Args &args) { return binaryOperator(args, ast::BinaryOp::BitAnd, "x", "y"); }
Value tileBitwiseOr(Args &args) { return binaryOperator(args, ast::BinaryOp::BitOr, "x", "y"); }
Value tileBitwiseXor(Args &args) { return binaryOperator(args, ast::BinaryOp::BitXor, "x", "y"); }

Value tileBitwiseNot(Args &args) {
  return unary(args.evaluation, ast::UnaryOp::Invert, args["x"], args.span);
}

Value tileCeilDiv(Args &args) {
  Evaluation &evaluation = args.evaluation;
  Value divisor = args.nth(1).value;
  Value less = binary(evaluation, ast::BinaryOp::Sub, divisor, Value::integer(1), args.span);
  Value sum =
      less ? binary(evaluation, ast::BinaryOp::Add, args.nth(0).value, less, args.span) : Value();
  return sum ? binary(evaluation, ast::BinaryOp::FloorDiv, sum, divisor, args.span) : Value();
}

Value tileAlignUp(Args &args) {
  Evaluation &evaluation = args.evaluation;
  Value less = binary(evaluation, ast::BinaryOp::Sub, args["y"], Value::integer(1), args.span);
  Value sum = less ? binary(evaluation, ast::BinaryOp::Add, args["x"], less, args.span) : Value();
  Value count =
      sum ? binary(evaluation, ast::BinaryOp::FloorDiv, sum, args["y"], args.span) : Value();
  return count ? binary(evaluation, ast::BinaryOp::Mul, count, args["y"], args.span) : Value();
}

static Value extremumOf(Evaluation &evaluation, BinaryOp op, Value a, Value b, Span span) {
  if (!a.isNumber() || !b.isNumber())
    return binaryOf(evaluation, op, a, b, span);
  bool isLess = a.asDouble() < b.asDouble();
  return isLess == (op == BinaryOp::Min) ? a : b;
}

Value tileMin(Args &args) {
  return extremumOf(args.evaluation, BinaryOp::Min, args["a"], args["b"], args.span);
}

Value tileMax(Args &args) {
  return extremumOf(args.evaluation, BinaryOp::Max, args["a"], args["b"], args.span);
}

Value tileClamp(Args &args) {
  Evaluation &evaluation = args.evaluation;
  Value high = extremumOf(evaluation, BinaryOp::Min, args["dst"], args["max_val"], args.span);
  return high ? extremumOf(evaluation, BinaryOp::Max, high, args["min_val"], args.span) : Value();
}

Value tileIfThenElse(Args &args) {
  return select(args.evaluation, args.nth(0).value, args.nth(1).value, args.nth(2).value,
                args.span);
}

static Value logical(Args &args, BinaryOp op) {
  Evaluation &evaluation = args.evaluation;
  const Expr *a = toCondition(evaluation, args["a"], args.spanOf("a"));
  const Expr *b = a ? toCondition(evaluation, args["b"], args.spanOf("b")) : nullptr;
  return b ? fromExpr(evaluation, evaluation.ir.binary(op, a, b), args.span) : Value();
}

Value tileAnd(Args &args) { return logical(args, BinaryOp::And); }
Value tileOr(Args &args) { return logical(args, BinaryOp::Or); }
Value tileNot(Args &args) { return logicalNot(args.evaluation, args["a"], args.span); }
Value tileLikely(Args &args) { return args["cond"]; }

static Value castTo(Args &args, llvm::StringRef param, DType dtype) {
  Evaluation &evaluation = args.evaluation;
  Value value = loadVariable(evaluation, args[param]);
  const Expr *expr = toExprOf(evaluation, dtype, value, args.spanOf(param));
  return expr ? fromExpr(evaluation, expr, args.span) : Value();
}

Value tileCastValue(Args &args) {
  Evaluation &evaluation = args.evaluation;
  std::optional<DType> dtype = args.dtype("dtype");
  std::optional<std::string> word = dtype ? args.text("round") : std::nullopt;
  if (!word)
    return Value();
  if (*word == "rs" || args.has("rbits")) {
    evaluation.fail(DiagId::NotOfThisTarget, args.spanOf("round"), "round=\"rs\" of T.cast",
                    "sm_100a");
    evaluation.note(args.spanOf("round"), "instead: T.rng_rand, and its bits added to those of the "
                                          "number before round=\"rz\"");
    return Value();
  }
  if (word->empty())
    return castTo(args, "value", *dtype);
  std::optional<CastRounding> rounding = castRoundingOf(*word);
  if (!rounding)
    return args.wrongType("round", "\"rn\", \"rz\", \"rp\", \"rm\" or \"rs\"");
  const Expr *x = toExpr(evaluation, loadVariable(evaluation, args["value"]), args.spanOf("value"));
  const Expr *cast = x ? castRounded(evaluation, *dtype, x, *rounding, args.span) : nullptr;
  return cast ? fromExpr(evaluation, cast, args.span) : Value();
}

Value tileCastType(Args &args) {
  std::optional<DType> dtype = args.dtype("dtype");
  return dtype ? castTo(args, "value", *dtype) : Value();
}

Value exprAsType(Args &args) {
  std::optional<DType> dtype = args.dtype("dtype");
  if (!dtype)
    return Value();
  return fromExpr(args.evaluation, args.evaluation.ir.cast(*dtype, args.self.asExpr()), args.span);
}

// `T.float16x2(a, b)`: a vector of these; of one value: of that, or of its lanes.
static Value makeVector(Args &args, const DTypeObject &type) {
  Evaluation &evaluation = args.evaluation;
  llvm::SmallVector<Arg, 4> given{args.at("x")};
  given.append(args.rest.begin(), args.rest.end());
  const VectorObject *vector = toVector(evaluation, args["x"]);
  auto lanes = static_cast<size_t>(type.lanes);
  size_t count = vector && given.size() == 1 ? vector->lanes.size() : given.size();
  if (count != lanes && (count != 1 || !args["x"]))
    return evaluation.fail(DiagId::LaneCount, args.span, lanes, args["x"] ? count : 0);
  std::vector<const Expr *> result;
  for (size_t lane = 0; lane < lanes; ++lane) {
    const Arg &arg = given[count == given.size() && count > 1 ? lane : 0];
    Value own = vector && given.size() == 1 ? Value::expr(vector->lanes[lane])
                                            : loadVariable(evaluation, arg.value);
    result.push_back(toExprOf(evaluation, type.dtype, own, arg.span));
    if (!result.back())
      return Value();
  }
  return vectorOf(evaluation, std::move(result));
}

// `T.float32(x)`: a cast.
Value dtypeCall(Args &args) {
  const auto &type = *args.self.as<DTypeObject>();
  if (type.lanes > 1)
    return makeVector(args, type);
  DType dtype = type.dtype;
  if (!args.rest.empty())
    return args.evaluation.fail(DiagId::LaneCount, args.span, 1, args.rest.size() + 1);
  if (args["x"].is(ValueKind::Vector))
    return args.wrongType("x", "a number or an expression");
  if (!args["x"])
    return args.evaluation.fail(DiagId::NotSupportedYet, args.span,
                                "a scalar without a value ('" + dtype.name() + "()')");
  if (std::optional<llvm::StringRef> text = textOf(args["x"])) {
    std::string word = text->lower();
    llvm::StringRef magnitude = word;
    double sign = magnitude.consume_front("-") ? -1 : 1;
    if (magnitude == "inf")
      return Value::expr(args.evaluation.ir.floating(sign * HUGE_VAL, dtype));
  }
  return castTo(args, "x", dtype);
}

Value tileInfinity(Args &args) {
  std::optional<DType> dtype = args.dtype("dtype");
  if (!dtype)
    return Value();
  if (!dtype->isFloat() || dtype->bits < 16)
    return args.wrongType("dtype", "a float type with infinities");
  return Value::expr(args.evaluation.ir.floating(HUGE_VAL, *dtype));
}

// The greatest finite value of a float type.
static double greatestFloat(DType dtype) {
  switch (dtype.kind) {
  case DTypeKind::BFloat:
    return 0x1.FEp127;
  case DTypeKind::Float8E4M3:
    return 448;
  case DTypeKind::Float8E5M2:
    return 57344;
  case DTypeKind::Float4E2M1:
    return 6;
  default:
    break;
  }
  if (dtype.bits == 16)
    return 65504;
  return dtype.bits == 64 ? 1.7976931348623157e308 : 0x1.FFFFFEp127;
}

static Value limitOf(Args &args, bool isMaximum) {
  std::optional<DType> dtype = args.dtype("dtype");
  if (!dtype)
    return Value();
  Builder &ir = args.evaluation.ir;
  if (dtype->isFloat())
    return Value::expr(
        ir.floating(isMaximum ? greatestFloat(*dtype) : -greatestFloat(*dtype), *dtype));
  if (dtype->isUnsigned() || dtype->isBool()) {
    unsigned bits = dtype->isBool() ? 1 : dtype->bits;
    if (isMaximum && bits == 64)
      return args.evaluation.fail(DiagId::IntegerTooLarge, args.span, "the maximum of uint64");
    return Value::expr(ir.integer(isMaximum ? (int64_t{1} << bits) - 1 : 0, *dtype));
  }
  int64_t least = dtype->bits == 64 ? INT64_MIN : -(int64_t{1} << (dtype->bits - 1));
  return Value::expr(ir.integer(isMaximum ? ~least : least, *dtype));
}

Value tileMaxValue(Args &args) { return limitOf(args, true); }
Value tileMinValue(Args &args) { return limitOf(args, false); }

} // namespace tilescope::frontend
