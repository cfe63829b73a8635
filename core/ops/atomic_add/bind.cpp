// T.atomic_add, of an element or of a tile.
#include "core/frontend/expr_operators.h"
#include "core/frontend/tile_operands.h"

namespace tilescope::frontend {

static Value atomicAddElement(Args &args, const Operand &destination) {
  Evaluation &evaluation = args.evaluation;
  const Expr *value =
      toExprOf(evaluation, destination.buffer->draft.dtype, args["value"], args.spanOf("value"));
  if (!value)
    return Value();
  evaluation.kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::AtomicAddElement,
                                           destination.region(evaluation.context), value));
  return Value::none();
}

// An element takes a value, a tile takes a tile; an element beside a tile is the tile's start.
Value tileAtomicAdd(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel || !args.refuse({"return_prev", "use_tma"}))
    return Value();
  std::optional<Operand> destination = toOperand(args, "dst");
  if (!destination)
    return Value();
  bool isScalar = args["value"].isNumber() || args["value"].isExpr();
  if (isScalar && destination->isPoint())
    return atomicAddElement(args, *destination);
  std::optional<Operand> source = toOperand(args, "value");
  if (!source)
    return Value();
  if (destination->isPoint())
    extendPoint(evaluation, *destination, *source);
  else if (source->isPoint())
    extendPoint(evaluation, *source, *destination);
  if (!matchExtents(args, *source, *destination))
    return Value();
  warnOfExcess(evaluation, *source);
  warnOfExcess(evaluation, *destination);
  Context &context = evaluation.context;
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::AtomicAdd,
                                {destination->region(context), source->region(context)}));
  return Value::none();
}

} // namespace tilescope::frontend
