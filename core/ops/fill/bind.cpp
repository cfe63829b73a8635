// T.fill and T.clear.
#include "core/frontend/tile_operands.h"

namespace tilescope::frontend {

static Value fill(Args &args, Value value) {
  Interpreter &interpreter = args.interpreter;
  KernelBuilder *kernel = interpreter.requireLaunch(args.callee(), args.span);
  std::optional<Operand> operand = kernel ? toOperand(args, "buffer") : std::nullopt;
  if (!operand)
    return Value();
  if (operand->isPoint())
    return interpreter.storeElement(*operand->buffer, operand->axes, value, args.span)
               ? Value::none()
               : Value();
  const Expr *filled = interpreter.toExprOf(operand->buffer->draft.dtype, value, args.span);
  if (!filled)
    return Value();
  kernel->emit(interpreter.ir().op(interpreter.ir().fresh(args.span), Op::Fill,
                                   operand->region(interpreter.context()), filled));
  return Value::none();
}

Value tileFill(Args &args) { return fill(args, args["value"]); }
Value tileClear(Args &args) { return fill(args, Value::integer(0)); }

} // namespace tilescope::frontend
