// T.sync_threads, T.sync_warp, T.sync_grid.
#include "core/access/access_program.h"
#include "core/frontend/operation_results.h"

namespace tilescope::frontend {

Value tileSyncThreads(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel || !args.refuse({"barrier_id", "arrive_count"}))
    return Value();
  kernel->emit(args.evaluation.ir.op(args.evaluation.ir.fresh(args.span), Op::Barrier, {}));
  return Value::none();
}

Value tileSyncWarp(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<const Expr *> mask = kernel ? toLaneMask(args, "mask") : std::nullopt;
  if (!mask)
    return Value();
  if (*mask)
    return evaluation.fail(DiagId::NotSupportedYet, args.spanOf("mask"),
                           "T.sync_warp of some lanes");
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Barrier, {}, {},
                                {{Attr::Scope, static_cast<int64_t>(BarrierScope::Warp)}}));
  return Value::none();
}

// Blocks of a launch may come one after the other: none can wait for all.
Value tileSyncGrid(Args &args) {
  return args.evaluation.fail(DiagId::GridBarrier, args.span, args.callee());
}

} // namespace tilescope::frontend
