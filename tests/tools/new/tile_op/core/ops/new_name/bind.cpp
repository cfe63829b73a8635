#include "core/frontend/tile_operands.h"

namespace tilescope::frontend {

Value tileNewName(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<Operand> tile = kernel ? toTile(args, "tile") : std::nullopt;
  if (!tile)
    return Value();
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::NewName,
                                tile->region(evaluation.context)));
  return Value::none();
}

} // namespace tilescope::frontend
