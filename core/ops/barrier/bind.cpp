// T.sync_threads, T.sync_warp, T.sync_grid.
#include "core/access/access_program.h"
#include "core/frontend/operation_results.h"

namespace tilescope::frontend {

// A barrier that has a number is like any other where all threads take part in it.
Value tileSyncThreads(Args &args) {
  constexpr int64_t Barriers = 16;
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  std::optional<int64_t> number = kernel ? args.integer("barrier_id") : std::nullopt;
  if (!number)
    return Value();
  int64_t threads = 1;
  for (int64_t extent : kernel->launch()->threads)
    threads *= extent;
  std::optional<int64_t> count = args.integer("arrive_count", threads);
  if (!count)
    return Value();
  if (*number < 0 || *number >= Barriers)
    return args.wrongType("barrier_id", "the number of a barrier, 0 to 15");
  if (*count != threads)
    return args.evaluation.fail(DiagId::NotSupportedYet, args.spanOf("arrive_count"),
                                "a barrier of " + std::to_string(*count) + " of " +
                                    std::to_string(threads) + " threads");
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
