#include "core/frontend/operation_results.h"

#include "core/frontend/buffers.h"

namespace tilescope::frontend {

constexpr int64_t AllLanes = 0xffffffff;

ResultVariable makeResult(const Args &args, DType dtype) {
  Evaluation &evaluation = args.evaluation;
  Builder &ir = evaluation.ir;
  BufferObject *variable = evaluation.kernel->addBuffer(evaluation.heap, dtype, {ir.integer(1)},
                                                        Scope::LocalVar, args.span);
  evaluation.kernel->nameBuffer(*variable, args.info.name.ltrim('_').str() + "_result");
  const Expr *zero = ir.integer(0);
  Range only{zero, ir.integer(1)};
  return {ir.region(variable->draft.id, nullptr, only, args.span),
          ir.load(variable->draft, nullptr, zero)};
}

Value emitWithResult(const Args &args, Op op, DType result, llvm::ArrayRef<const Expr *> values,
                     llvm::ArrayRef<std::pair<Attr, int64_t>> attrs) {
  Evaluation &evaluation = args.evaluation;
  ResultVariable variable = makeResult(args, result);
  evaluation.kernel->emit(
      evaluation.ir.op(evaluation.ir.fresh(args.span), op, variable.region, values, attrs));
  return fromExpr(evaluation, variable.value, args.span);
}

const Expr *toPredicate(const Args &args) {
  Value value = loadVariable(args.evaluation, args["predicate"]);
  if (value.isFloat() || (value.isExpr() && value.asExpr()->dtype().isFloat())) {
    args.wrongType("predicate", "an integer or a condition");
    return nullptr;
  }
  return toCondition(args.evaluation, value, args.spanOf("predicate"));
}

std::optional<const Expr *> toLaneMask(const Args &args, llvm::StringRef param) {
  const Expr *all = nullptr;
  if (!args.has(param))
    return all;
  const Expr *mask = toExprOf(args.evaluation, DType::uint32(), args[param], args.spanOf(param));
  if (!mask)
    return std::nullopt;
  return constantValue(mask) == AllLanes ? all : mask;
}

} // namespace tilescope::frontend
