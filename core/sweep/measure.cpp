#include "core/sweep/measure.h"

#include "core/analysis/global_traffic.h"
#include "core/ir/print_expr.h"
#include "core/target/register_limit.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

struct KernelDemand {
  std::string kernel;
  BlockDemand block;
};

// Of each kernel; nothing where one's size is known at its launch only.
std::vector<KernelDemand> demandsOf(const Trace &trace, const TraceSnapshot &snapshot,
                                    const Target &target) {
  std::vector<KernelDemand> demands;
  for (const ArenaRecord &arena : *snapshot.arenas) {
    if (!arena.launchSized.empty())
      return {};
    demands.push_back({arena.function, demandOf(trace, arena, target)});
  }
  // Kernels without an arena.
  for (const LaunchRecord &launch : trace.launches)
    demands.push_back({launch.kernel, {0, launch.staticSharedBytes, launch.threads}});
  return demands;
}

void measureOccupancy(const std::vector<KernelDemand> &demands, const Target &target,
                      const std::optional<PtxasUsage> &usage, SweepFigures &figures) {
  for (const auto &[kernel, block] : demands) {
    int64_t registers = 0;
    if (usage && usage->registers.contains(kernel))
      registers = usage->registers.at(kernel);
    Occupancy occupancy = occupancyOf(target, block, registers);
    if (occupancy.blocks >= figures.blocksPerSm.value_or(occupancy.blocks + 1))
      continue;
    figures.blocksPerSm = occupancy.blocks;
    figures.limitedBy.clear();
    for (OccupancyLimit limit : occupancy.limits)
      figures.limitedBy.push_back(toString(limit).str());
  }
}

} // namespace

SweepFigures measure(const Trace &trace, const Module &module,
                     const std::optional<PtxasUsage> &usage) {
  const TraceSnapshot &snapshot = trace.snapshots[trace.passes.back().snapshot];
  SweepFigures figures;
  figures.proof = "optimal";
  for (const ArenaRecord &arena : *snapshot.arenas) {
    figures.peakBytes = std::max(figures.peakBytes, arena.plan.heightBytes);
    if (!arena.plan.isLeast())
      figures.proof = proofWord(arena.plan);
  }
  figures.globalBytes = computeGlobalBytes(module);
  if (const Target *target = targetOf(trace))
    measureOccupancy(demandsOf(trace, snapshot, *target), *target, usage, figures);
  for (const AccessRecord &record : *snapshot.accesses)
    for (const AccessNode &node : record.program.nodes)
      figures.barriers +=
          node.kind == AccessNode::Kind::Barrier && node.scope == BarrierScope::Block;
  for (const PipelineRecord &pipeline : *snapshot.pipelines)
    figures.stages = std::max(figures.stages, pipeline.numStages);
  if (!usage)
    return figures;
  figures.registers = 0;
  for (const auto &[kernel, registers] : usage->registers)
    figures.registers = std::max(*figures.registers, registers);
  figures.spillBytes = usage->spillBytes;
  return figures;
}

std::string problemOf(const Module &module) {
  std::vector<std::string> tensors;
  for (const Function *function : module.functions) {
    TextNames names(*function);
    for (const Param &param : function->params) {
      const Buffer *tensor = function->findBuffer(param.buffer);
      if (!tensor)
        continue;
      std::vector<std::string> shape;
      for (const Expr *extent : tensor->shape)
        shape.push_back(printExpr(names, *extent));
      std::string text =
          tensor->name.str() + ": " + tensor->dtype.name() + "[" + llvm::join(shape, ", ") + "]";
      if (!llvm::is_contained(tensors, text))
        tensors.push_back(std::move(text));
    }
  }
  return llvm::join(tensors, ", ");
}

} // namespace tilescope
