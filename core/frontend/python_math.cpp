// The module `math`.
#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/iteration.h"
#include "core/frontend/operators.h"

#include <cmath>
#include <numeric>

namespace tilescope::frontend {

// A function of one number that is defined where `isDefined` holds.
static Value realFunction(Args &args, double (*function)(double), bool (*isDefined)(double)) {
  if (args["x"].isExpr())
    return args.evaluation.fail(DiagId::BuiltinOnExpression, args.span, args.callee(),
                                "T." + args.info.name.str() + "(x)");
  std::optional<double> x = args.number("x");
  if (!x)
    return Value();
  if (!isDefined(*x))
    return args.evaluation.fail(DiagId::MathDomain, args.span, args.callee(), reprOf(args["x"]));
  return Value::floating(function(*x));
}

static bool isAny(double) { return true; }
static bool isPositive(double x) { return x > 0; }
static bool isNotNegative(double x) { return x >= 0; }

Value mathSqrt(Args &args) { return realFunction(args, std::sqrt, isNotNegative); }
Value mathLog2(Args &args) { return realFunction(args, std::log2, isPositive); }
Value mathLog10(Args &args) { return realFunction(args, std::log10, isPositive); }
Value mathExp(Args &args) { return realFunction(args, std::exp, isAny); }
Value mathExp2(Args &args) { return realFunction(args, std::exp2, isAny); }

Value mathLog(Args &args) {
  Value natural = realFunction(args, std::log, isPositive);
  if (!natural || !args.has("base"))
    return natural;
  std::optional<double> base = args.number("base");
  if (!base)
    return Value();
  if (*base <= 0 || *base == 1)
    return args.evaluation.fail(DiagId::MathDomain, args.span, args.callee(), reprOf(args["base"]));
  return Value::floating(natural.asDouble() / std::log(*base));
}

Value mathPow(Args &args) {
  std::optional<double> x = args.number("x");
  std::optional<double> y = args.number("y");
  return x && y ? Value::floating(std::pow(*x, *y)) : Value();
}

static Value toWhole(Args &args, double (*function)(double)) {
  if (args["x"].isIntegral())
    return Value::integer(args["x"].asInt());
  Value whole = realFunction(args, function, isAny);
  if (!whole)
    return Value();
  if (!(std::abs(whole.asDouble()) < 9.2e18))
    return args.evaluation.fail(DiagId::IntegerTooLarge, args.span, reprOf(whole));
  return Value::integer(static_cast<int64_t>(whole.asDouble()));
}

Value mathCeil(Args &args) { return toWhole(args, std::ceil); }
Value mathFloor(Args &args) { return toWhole(args, std::floor); }

Value mathProd(Args &args) {
  Value total = args["start"] ? args["start"] : Value::integer(1);
  bool done = forEach(args.evaluation, args["iterable"], args.span, [&](Value item) {
    total = binary(args.evaluation, ast::BinaryOp::Mul, total, item, args.span);
    return static_cast<bool>(total);
  });
  return done ? total : Value();
}

Value mathGcd(Args &args) {
  std::optional<int64_t> a = args.integer("a");
  std::optional<int64_t> b = args.integer("b");
  if (!a || !b)
    return Value();
  if (*a == INT64_MIN || *b == INT64_MIN)
    return args.evaluation.fail(DiagId::IntegerTooLarge, args.span, INT64_MIN);
  return Value::integer(std::gcd(*a, *b));
}

Value mathIsInf(Args &args) {
  std::optional<double> x = args.number("x");
  return x ? Value::boolean(std::isinf(*x)) : Value();
}

} // namespace tilescope::frontend
