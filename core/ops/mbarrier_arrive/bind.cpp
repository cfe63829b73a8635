// T.barrier_arrive, T.mbarrier_arrive, T.cp_async_barrier_noinc.
#include "core/frontend/mbarriers.h"

namespace tilescope::frontend {

Value tileMbarrierArrive(Args &args) {
  if (!args.refuse({"cta_id"}))
    return Value();
  return emitAtMbarrier(args, "mbarrier", Op::MbarrierArrive);
}

// The thread arrives when its copies have: it waits for them itself.
Value tileArriveBehindCopies(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel || !requireOnTarget(args))
    return Value();
  Builder &ir = evaluation.ir;
  kernel->emit(ir.op(ir.fresh(args.span), Op::CommitGroup, {}));
  kernel->emit(ir.op(ir.fresh(args.span), Op::WaitGroup, {}, {}, {{Attr::Pending, 0}}));
  return emitAtMbarrier(args, "barrier", Op::MbarrierArrive);
}

} // namespace tilescope::frontend
