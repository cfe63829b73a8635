// T.atomic_add, of an element or of a tile.
#include "core/frontend/tile_operands.h"

namespace tilescope::frontend {

static Value atomicAddElement(Args &args, const Operand &destination) {
  Interpreter &interpreter = args.interpreter;
  const Expr *value =
      interpreter.toExprOf(destination.buffer->draft.dtype, args["value"], args.spanOf("value"));
  if (!value)
    return Value();
  interpreter.kernel()->emit(interpreter.ir().op(interpreter.ir().fresh(args.span),
                                                 Op::AtomicAddElement,
                                                 destination.region(interpreter.context()), value));
  return Value::none();
}

// An element takes a value, a tile takes a tile; an element beside a tile is the tile's start.
Value tileAtomicAdd(Args &args) {
  Interpreter &interpreter = args.interpreter;
  KernelBuilder *kernel = interpreter.requireLaunch(args.callee(), args.span);
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
    extendPoint(interpreter, *destination, *source);
  else if (source->isPoint())
    extendPoint(interpreter, *source, *destination);
  if (!matchExtents(args, *source, *destination))
    return Value();
  warnOfExcess(interpreter, *source);
  warnOfExcess(interpreter, *destination);
  Context &context = interpreter.context();
  kernel->emit(interpreter.ir().op(interpreter.ir().fresh(args.span), Op::AtomicAdd,
                                   {destination->region(context), source->region(context)}));
  return Value::none();
}

} // namespace tilescope::frontend
