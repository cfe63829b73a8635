// T.barrier_arrive, T.mbarrier_arrive, T.ptx_arrive_cluster_barrier, T.cp_async_barrier_noinc.
#include "core/frontend/clusters.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/mbarriers.h"
#include "core/ir/cluster_size.h"

namespace tilescope::frontend {

Value tileMbarrierArrive(Args &args) {
  if (args.has("cta_id"))
    return tileClusterBarrierArrive(args);
  return emitAtMbarrier(args, "mbarrier", Op::MbarrierArrive);
}

// At the barrier of another block.
Value tileClusterBarrierArrive(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  bool isThere = kernel && requireOnTarget(args);
  std::optional<BufferRegion> barrier = isThere ? mbarrierOf(args, "mbarrier") : std::nullopt;
  const Expr *rank =
      barrier ? toIndex(evaluation, args["cta_id"], "a rank", args.spanOf("cta_id")) : nullptr;
  if (!rank)
    return Value();
  if (!kernel->findBuffer(barrier->buffer)->isClusterBarrier)
    return args.wrongType("mbarrier", "one barrier of T.alloc_cluster_barrier");
  int64_t blocks = blocksOfCluster(kernel->launch()->cluster);
  if (std::optional<int64_t> known = constantValue(rank); known && (*known < 0 || *known >= blocks))
    return evaluation.fail(DiagId::ClusterRank, args.spanOf("cta_id"), *known, blocks);
  kernel->emit(
      evaluation.ir.op(evaluation.ir.fresh(args.span), Op::MbarrierArrive, *barrier, {rank}));
  return Value::none();
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
