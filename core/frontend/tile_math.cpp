// Functions of numbers: they build expressions; on Python numbers some compute.
#include "core/frontend/buffers.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/operators.h"
#include "core/frontend/result_registers.h"
#include "core/frontend/vectors.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace tilescope::frontend {

static std::optional<MathFn> mathFunction(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<MathFn>>(name)
#define MATH(Name, spelling, arity, typing) .Case(spelling, MathFn::Name)
#include "core/ir/operators.def"
      .Default(std::nullopt);
}

// Integers become float32 first.
static const Expr *toFloating(Args &args, llvm::StringRef param) {
  Value value = loadVariable(args.evaluation, args[param]);
  const Expr *x = toExpr(args.evaluation, value, args.spanOf(param));
  if (!x || x->dtype().isFloat())
    return x;
  return toExprOf(args.evaluation, DType::float32(), value, args.spanOf(param));
}

static Value applied(Args &args, MathFn fn, llvm::ArrayRef<const Expr *> operands) {
  return fromExpr(args.evaluation, args.evaluation.ir.math(fn, operands), args.span);
}

static Value applyMath(Args &args, MathFn fn) {
  const Expr *x = toFloating(args, "x");
  return x ? applied(args, fn, x) : Value();
}

Value tileMath(Args &args) { return applyMath(args, *mathFunction(args.info.name)); }

Value tileRound(Args &args) {
  std::optional<std::string> mode = args.text("rounding_mode", "ties-to-even");
  if (!mode)
    return Value();
  if (*mode != "ties-to-even" && *mode != "ties-away-from-zero")
    return args.wrongType("rounding_mode", "\"ties-to-even\" or \"ties-away-from-zero\"");
  return applyMath(args, *mode == "ties-to-even" ? MathFn::RoundEven : MathFn::Round);
}

// Of two numbers, which meet in one type.
static Value applyToTwo(Args &args, MathFn fn, const Expr *x, llvm::StringRef second) {
  Evaluation &evaluation = args.evaluation;
  Value other = x ? loadVariable(evaluation, args[second]) : Value();
  std::optional<ExprPair> pair =
      other ? unify(evaluation, Value::expr(x), other, args.span) : std::nullopt;
  return pair ? applied(args, fn, {pair->lhs, pair->rhs}) : Value();
}

Value tileMathOfTwo(Args &args) {
  llvm::StringRef second = args.keywords()[1].first;
  return applyToTwo(args, *mathFunction(args.info.name), toFloating(args, args.keywords()[0].first),
                    second);
}

Value tilePow(Args &args) { return applyToTwo(args, MathFn::Pow, toFloating(args, "x"), "y"); }

// `T.ieee_add(x, y, "rz")`: the type of x is that of all.
Value tileIeee(Args &args) {
  Evaluation &evaluation = args.evaluation;
  bool hasMode = args.info.params.contains("rounding_mode");
  std::optional<std::string> mode = hasMode ? args.text("rounding_mode", "rn") : std::string();
  if (!mode)
    return Value();
  std::optional<MathFn> fn =
      mathFunction(args.info.name.str() + (hasMode ? "_" + *mode : std::string()));
  if (!fn)
    return args.wrongType("rounding_mode", R"("rn", "rz", "ru" or "rd")");
  const Expr *x = toFloating(args, "x");
  if (!x)
    return Value();
  if (x->dtype().bits == 16 && hasMode && *mode != "rn")
    return args.wrongType("rounding_mode", "\"rn\" for a type of 16 bits");
  llvm::SmallVector<const Expr *, 3> operands{x};
  for (llvm::StringRef param : {"y", "z"}) {
    if (operands.size() == arityOf(*fn))
      break;
    const Expr *operand =
        toExprOf(evaluation, x->dtype(), loadVariable(evaluation, args[param]), args.spanOf(param));
    if (!operand)
      return Value();
    operands.push_back(operand);
  }
  return applied(args, *fn, operands);
}

// An integer is always a finite number.
Value tileMathTest(Args &args) {
  const Expr *x =
      toExpr(args.evaluation, loadVariable(args.evaluation, args["x"]), args.spanOf("x"));
  if (x && !x->dtype().isFloat())
    return Value::boolean(args.info.name == "isfinite");
  return x ? applied(args, *mathFunction(args.info.name), x) : Value();
}

// What is as large as an infinity.
Value tileIsInfinite(Args &args) {
  Builder &ir = args.evaluation.ir;
  const Expr *x =
      toExpr(args.evaluation, loadVariable(args.evaluation, args["x"]), args.spanOf("x"));
  if (!x)
    return Value();
  if (!x->dtype().isFloat())
    return Value::boolean(false);
  const Expr *isLarge =
      ir.binary(BinaryOp::Equal, ir.math(MathFn::Abs, x), ir.floating(HUGE_VAL, x->dtype()));
  const Expr *isNumber = ir.unary(UnaryOp::Not, ir.math(MathFn::IsNan, x));
  return fromExpr(args.evaluation, ir.logicalAnd(isLarge, isNumber), args.span);
}

Value tileMathOfInteger(Args &args) {
  const Expr *x = toIndex(args.evaluation, loadVariable(args.evaluation, args["x"]),
                          "what " + args.callee() + " takes", args.spanOf("x"));
  return x ? applied(args, *mathFunction(args.info.name), x) : Value();
}

// From 1, or 0 where there is none: what is above the lowest bit set is not in x & -x.
Value tileFindFirstSet(Args &args) {
  Builder &ir = args.evaluation.ir;
  const Expr *x = toIndex(args.evaluation, loadVariable(args.evaluation, args["value"]),
                          "what T.__ffs takes", args.spanOf("value"));
  if (!x)
    return Value();
  const Expr *lowest = ir.binary(BinaryOp::BitAnd, x, ir.unary(UnaryOp::Negate, x));
  const Expr *above = ir.math(MathFn::CountLeadingZeros, lowest);
  return fromExpr(args.evaluation, ir.binary(BinaryOp::Sub, ir.integer(x->dtype().bits), above),
                  args.span);
}

// Division that rounds towards zero.
Value tileTruncated(Args &args) {
  Evaluation &evaluation = args.evaluation;
  bool isDivision = args.info.name == "truncdiv";
  Value a = loadVariable(evaluation, args["a"]);
  Value b = loadVariable(evaluation, args["b"]);
  if (a.isIntegral() && b.isIntegral() && b.asInt() != 0 && b.asInt() != -1)
    return Value::integer(isDivision ? a.asInt() / b.asInt() : a.asInt() % b.asInt());
  std::optional<ExprPair> pair = unify(evaluation, a, b, args.span);
  if (!pair)
    return Value();
  if (!pair->lhs->dtype().isInteger())
    return args.wrongType("a", "an integer");
  return applied(args, isDivision ? MathFn::TruncDiv : MathFn::TruncMod, {pair->lhs, pair->rhs});
}

// `T.reinterpret(x, dtype)`, of one number or of a run of them; the older order too.
Value tileReinterpret(Args &args) {
  Evaluation &evaluation = args.evaluation;
  // A null pointer, for arguments that are not read.
  if (textOf(args["dtype"]) == llvm::StringRef("handle"))
    return Value::none();
  bool isSwapped = args["value"].as<DTypeObject>() || textOf(args["value"]);
  llvm::StringRef what = isSwapped ? "dtype" : "value";
  std::optional<VectorType> type = vectorTypeArgument(args, isSwapped ? "value" : "dtype");
  if (!type)
    return Value();
  DType element = type->element;
  if (args[what].as<RegionObject>() && evaluation.kernel) {
    std::optional<Operand> run = toOperand(args, what);
    Value bits = run ? reinterpretRun(evaluation, *run, element, args.span) : Value();
    const VectorObject *lanes = toVector(evaluation, bits);
    return lanes && type->lanes > 1 ? reinterpretLanes(evaluation, lanes->lanes, *type, args.span)
                                    : bits;
  }
  if (const auto *vector = args[what].as<VectorObject>())
    return reinterpretLanes(evaluation, vector->lanes, *type, args.span);
  const Expr *x = toExpr(evaluation, loadVariable(evaluation, args[what]), args.spanOf(what));
  if (!x)
    return Value();
  if (type->lanes > 1)
    return reinterpretLanes(evaluation, x, *type, args.span);
  bool isPossible = !x->dtype().isBool() && !element.isBool() && element.bits >= 8;
  if (!isPossible || x->dtype().bits != element.bits)
    return evaluation.fail(DiagId::ReinterpretedBits, args.span, x->dtype().name(), element.name());
  return fromExpr(evaluation, evaluation.ir.reinterpret(element, x), args.span);
}

Value tileAbs(Args &args) {
  Value x = args["x"];
  if (x.isNumber())
    return x.isFloat() ? Value::floating(std::abs(x.asDouble()))
                       : (x.asInt() < 0 ? unary(args.evaluation, ast::UnaryOp::Negate, x, args.span)
                                        : Value::integer(x.asInt()));
  const Expr *expr = toExpr(args.evaluation, x, args.spanOf("x"));
  return expr ? applied(args, MathFn::Abs, expr) : Value();
}

} // namespace tilescope::frontend
