#include "core/frontend/tile_operands.h"

namespace tilescope::frontend {

Value tileNewName(Args &args) {
  Interpreter &interpreter = args.interpreter;
  KernelBuilder *kernel = interpreter.requireLaunch(args.callee(), args.span);
  std::optional<Operand> tile = kernel ? toTile(args, "tile") : std::nullopt;
  if (!tile)
    return Value();
  kernel->emit(interpreter.ir().op(interpreter.ir().fresh(args.span), Op::NewName,
                                   tile->region(interpreter.context())));
  return Value::none();
}

} // namespace tilescope::frontend
