#include "core/sweep/measure.h"

#include "core/trace/trace_queries.h"

namespace tilescope {

namespace {

// nullopt: nothing limits it that is known.
std::optional<int64_t> blocksOf(const Trace &trace, const TraceSnapshot &snapshot) {
  const Target *target = targetOf(trace);
  if (!target)
    return std::nullopt;
  std::optional<int64_t> fewest;
  auto take = [&](const BlockDemand &demand) {
    int64_t blocks = blocksPerSm(*target, demand);
    fewest = std::min(fewest.value_or(blocks), blocks);
  };
  for (const ArenaRecord &arena : *snapshot.arenas) {
    if (!arena.launchSized.empty())
      return std::nullopt;
    take(demandOf(trace, arena, *target));
  }
  // Kernels without an arena.
  for (const LaunchRecord &launch : trace.launches)
    take({0, launch.staticSharedBytes, launch.threads});
  return fewest;
}

} // namespace

SweepFigures measure(const Trace &trace) {
  const TraceSnapshot &snapshot = trace.snapshots[trace.passes.back().snapshot];
  SweepFigures figures;
  figures.proof = "optimal";
  for (const ArenaRecord &arena : *snapshot.arenas) {
    figures.peakBytes = std::max(figures.peakBytes, arena.plan.heightBytes);
    if (!arena.plan.isLeast())
      figures.proof = proofWord(arena.plan);
  }
  figures.blocksPerSm = blocksOf(trace, snapshot);
  for (const AccessRecord &record : *snapshot.accesses)
    for (const AccessNode &node : record.program.nodes)
      figures.barriers +=
          node.kind == AccessNode::Kind::Barrier && node.scope == BarrierScope::Block;
  for (const PipelineRecord &pipeline : *snapshot.pipelines)
    figures.stages = std::max(figures.stages, pipeline.numStages);
  return figures;
}

} // namespace tilescope
