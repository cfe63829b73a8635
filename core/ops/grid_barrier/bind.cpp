// T.sync_grid.
#include "core/frontend/operation_results.h"

namespace tilescope::frontend {

Value tileSyncGrid(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel)
    return Value();
  kernel->emit(args.evaluation.ir.op(args.evaluation.ir.fresh(args.span), Op::GridBarrier, {}));
  return Value::none();
}

} // namespace tilescope::frontend
