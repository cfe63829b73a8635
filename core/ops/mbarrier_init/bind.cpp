// T.alloc_barrier, T.alloc_cluster_barrier: mbarriers, and that their first phases begin.
#include "core/frontend/clusters.h"
#include "core/frontend/mbarriers.h"
#include "core/hopper/mbarrier.h"

namespace tilescope::frontend {

Value tileAllocBarrier(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel || !requireOnTarget(args))
    return Value();
  if (!kernel->atLaunchLevel()) {
    evaluation.fail(DiagId::MbarrierNotOnce, args.span, args.callee());
    return Value();
  }
  std::vector<int64_t> counts;
  if (sequenceItems(args["arrive_count"])) {
    std::optional<std::vector<int64_t>> list = args.integers("arrive_count");
    if (!list)
      return Value();
    counts = std::move(*list);
  } else {
    std::optional<int64_t> count = args.integer("arrive_count");
    if (!count)
      return Value();
    counts = {*count};
  }
  // As many as the largest kernels take several times over; each is one statement.
  constexpr size_t Most = 256;
  if (counts.empty() || counts.size() > Most)
    return args.wrongType("arrive_count", "the counts of 1 to 256 barriers");
  for (int64_t count : counts)
    if (count < 1 || count > MbarrierMaxCount)
      return args.wrongType("arrive_count", "1 to 2^20 - 1 arrivals");
  kernel->launch()->hasMbarriers = true;
  Builder &ir = evaluation.ir;
  BufferObject *barrier =
      kernel->addBuffer(evaluation.heap, DType::uint64(),
                        ir.integer(static_cast<int64_t>(counts.size())), Scope::Shared, args.span);
  barrier->isMbarrier = true;
  for (size_t index = 0; index != counts.size(); ++index) {
    const Range element{ir.integer(static_cast<int64_t>(index)), ir.integer(1)};
    kernel->emit(ir.op(ir.fresh(args.span), Op::MbarrierInit,
                       ir.region(barrier->draft.id, nullptr, element, args.span), {},
                       {{Attr::Arrivals, counts[index]}}));
  }
  return barrier;
}

// Every mbarrier may be reached from other blocks of the cluster; of these kernels say it.
Value tileAllocClusterBarrier(Args &args) {
  if (!requireClusters(args))
    return Value();
  Value barrier = tileAllocBarrier(args);
  if (auto *buffer = barrier ? barrier.as<BufferObject>() : nullptr)
    buffer->isClusterBarrier = true;
  return barrier;
}

} // namespace tilescope::frontend
