// T.sync_threads.
#include "core/frontend/tile_operands.h"

namespace tilescope::frontend {

Value tileSyncThreads(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel || !args.refuse({"barrier_id", "arrive_count"}))
    return Value();
  kernel->emit(args.evaluation.ir.op(args.evaluation.ir.fresh(args.span), Op::Barrier, {}));
  return Value::none();
}

} // namespace tilescope::frontend
