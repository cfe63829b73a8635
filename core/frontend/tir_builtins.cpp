// Functions of `tvm.tirx`, the IR below TileLang, that helpers of kernels build expressions with.
// Those that TileLang has under another name are lines of builtins.def with that one's handler.
#include "core/frontend/attributes.h"
#include "core/frontend/builtins.h"
#include "core/frontend/calls.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/operators.h"
#include "core/ir/visit.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilescope::frontend {

// `tirx.const(value, dtype)`: without a type what Python's has, at 32 bits.
Value tirConst(Args &args) {
  Evaluation &evaluation = args.evaluation;
  Value value = args["value"];
  DType natural = value.isBool()    ? DType::boolean()
                  : value.isFloat() ? DType::float32()
                                    : DType::int32();
  std::optional<DType> dtype = args.dtype("dtype", natural);
  if (!dtype)
    return Value();
  if (!value.isNumber())
    return args.wrongType("value", "a number known at compile time");
  const Expr *expr = toExprOf(evaluation, *dtype, value, args.span);
  return expr ? fromExpr(evaluation, expr, args.span) : Value();
}

// `tirx.Add(a, b)`
Value tirArithmetic(Args &args) {
  auto op = llvm::StringSwitch<ast::BinaryOp>(args.info.name)
                .Case("Add", ast::BinaryOp::Add)
                .Case("Sub", ast::BinaryOp::Sub)
                .Case("Mul", ast::BinaryOp::Mul)
                .Case("Div", ast::BinaryOp::Div)
                .Cases("FloorDiv", "indexdiv", ast::BinaryOp::FloorDiv)
                .Default(ast::BinaryOp::Mod);
  return binary(args.evaluation, op, args["a"], args["b"], args.span);
}

// `tirx.LT(a, b)`
Value tirComparison(Args &args) {
  auto op = llvm::StringSwitch<ast::CompareOp>(args.info.name)
                .Case("EQ", ast::CompareOp::Eq)
                .Case("NE", ast::CompareOp::Ne)
                .Case("LT", ast::CompareOp::Lt)
                .Case("LE", ast::CompareOp::Le)
                .Case("GT", ast::CompareOp::Gt)
                .Default(ast::CompareOp::Ge);
  return compareExprs(args.evaluation, op, args["a"], args["b"], args.span);
}

// `tirx.all(a, b, ...)`, `tirx.any(a, b, ...)`
Value tirLogical(Args &args) {
  Evaluation &evaluation = args.evaluation;
  BinaryOp op = args.info.name == "all" ? BinaryOp::And : BinaryOp::Or;
  const Expr *result = nullptr;
  for (const Arg &arg : args.rest) {
    const Expr *condition = toCondition(evaluation, arg.value, arg.span);
    if (!condition)
      return Value();
    result = result ? evaluation.ir.binary(op, result, condition) : condition;
  }
  if (!result)
    return evaluation.fail(DiagId::ArgumentMissing, args.span, args.callee(), "args",
                           args.info.params);
  return fromExpr(evaluation, result, args.span);
}

// `T.call_intrin("float32", "tir.exp", x)`: what T has of that name, as that type.
Value tirCallIntrin(Args &args) {
  Evaluation &evaluation = args.evaluation;
  std::optional<std::string> path = args.text("func_name");
  if (!path)
    return Value();
  llvm::StringRef name = llvm::StringRef(*path).rsplit('.').second;
  Value function = namespaceMember(evaluation, "T", name.empty() ? llvm::StringRef(*path) : name,
                                   args.spanOf("func_name"));
  llvm::SmallVector<Argument, 4> arguments;
  for (const Arg &arg : args.rest)
    arguments.push_back({"", arg.value, arg.span});
  Value result = function ? call(evaluation, function, arguments, args.span) : Value();
  if (!result.isExpr() || textOf(args["dtype"]) == llvm::StringRef("handle"))
    return result;
  std::optional<DType> dtype = args.dtype("dtype");
  return dtype ? fromExpr(evaluation, evaluation.ir.cast(*dtype, result.asExpr()), args.span)
               : Value();
}

// `T.Let(expr, where={x: value})`: one variable, or several that do not name each other.
Value tirLet(Args &args) {
  Evaluation &evaluation = args.evaluation;
  const auto *where = args["where"].as<DictObject>();
  const Expr *expr = where ? toExpr(evaluation, args["expr"], args.spanOf("expr")) : nullptr;
  if (!expr)
    return where ? Value() : args.wrongType("where", "a dictionary of variables");
  Substitution values;
  for (const auto &[key, value] : where->items) {
    const Var *var = key.isExpr() ? llvm::dyn_cast<Var>(key.asExpr()) : nullptr;
    if (!var)
      return args.wrongType("where", "a dictionary of variables");
    values[var] = toExprOf(evaluation, var->dtype(), value, args.spanOf("where"));
    if (!values[var])
      return Value();
  }
  return fromExpr(evaluation, substitute(evaluation.context, expr, values), args.span);
}

} // namespace tilescope::frontend
