// T.sync_warp.
#include "core/access/access_program.h"
#include "core/frontend/operation_results.h"

namespace tilescope::frontend {

Value tileSyncWarp(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<const Expr *> mask = kernel ? toLaneMask(args, "mask") : std::nullopt;
  if (!mask)
    return Value();
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Barrier, {}, {*mask},
                                {{Attr::Scope, static_cast<int64_t>(BarrierScope::Warp)}}));
  return Value::none();
}

} // namespace tilescope::frontend
