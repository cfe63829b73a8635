// T.fill and T.clear.
#include "core/frontend/buffers.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/tile_operands.h"

namespace tilescope::frontend {

static Value fill(Args &args, Value value) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<Operand> operand = kernel ? toOperand(args, "buffer") : std::nullopt;
  if (!operand)
    return Value();
  if (operand->isPoint())
    return storeElement(evaluation, *operand->buffer, operand->axes, value, args.span)
               ? Value::none()
               : Value();
  const Expr *filled = toExprOf(evaluation, operand->buffer->draft.dtype, value, args.span);
  if (!filled)
    return Value();
  if (operand->hasRunTimeExtent()) {
    loopOverElements(evaluation, *operand).emit(evaluation, *operand, filled, nullptr, args.span);
    return Value::none();
  }
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Fill,
                                operand->region(evaluation.context), filled));
  return Value::none();
}

Value tileFill(Args &args) { return fill(args, args["value"]); }
Value tileClear(Args &args) { return fill(args, Value::integer(0)); }

} // namespace tilescope::frontend
