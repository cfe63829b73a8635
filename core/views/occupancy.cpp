#include "core/views/occupancy.h"

#include "core/target/register_limit.h"
#include "core/views/view.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

const char *blocksWord(int blocks) { return blocks == 1 ? "block" : "blocks"; }

OccupancyView viewOf(const Target &target, const BlockDemand &demand) {
  OccupancyView view;
  view.blocks = blocksPerSm(target, demand);
  view.staticBytes = demand.staticBytes;
  int next = view.blocks + 1;
  int64_t bytes = dynamicBytesForBlocks(target, next, demand.staticBytes);
  view.registersOfThread = demand.registersOfThread;
  for (OccupancyLimit limit : occupancyOf(target, demand, demand.registersOfThread).limits)
    view.limitedBy.push_back(toString(limit).str());
  int most = blocksPerSmWithoutShared(target, demand);
  if (next <= most && bytes >= 0 && bytes < demand.dynamicBytes) {
    view.nextBlocks = next;
    view.nextBytes = bytes;
    view.lessBytes = demand.dynamicBytes - bytes;
  }
  return view;
}

} // namespace

std::optional<OccupancyView> occupancyOf(const FacetState &facets, const FunctionState &function) {
  const Target *target = facets.compile().target;
  if (!target || !function.arena->launchSized.empty())
    return std::nullopt;
  OccupancyView view = viewOf(*target, *function.demand);
  if (auto spilled = facets.compile().spillBytes.find(function.name);
      spilled != facets.compile().spillBytes.end())
    view.spillBytes = spilled->second;
  return view;
}

std::vector<KernelOccupancy> occupanciesOf(const Trace &trace) {
  const Target *target = targetOf(trace);
  if (!target || !trace.device || trace.passes.empty())
    return {};
  const std::vector<ArenaRecord> &arenas = *trace.snapshots[trace.passes.back().snapshot].arenas;
  std::vector<KernelOccupancy> occupancies;
  for (const KernelResources &kernel : trace.device->kernels) {
    auto arena = llvm::find_if(
        arenas, [&](const ArenaRecord &record) { return record.function == kernel.kernel; });
    bool hasArena = arena != arenas.end();
    if (hasArena && !arena->launchSized.empty())
      continue;
    ArenaRecord none;
    none.function = kernel.kernel;
    BlockDemand demand = demandOf(trace, hasArena ? *arena : none, *target);
    if (!hasArena)
      demand.staticBytes = kernel.staticSharedBytes;
    occupancies.push_back({kernel.kernel, viewOf(*target, demand)});
    occupancies.back().occupancy.spillBytes = kernel.spillBytes();
  }
  return occupancies;
}

std::vector<OccupancyStep> occupancyStepsOf(const FacetState &facets,
                                            const FunctionState &function) {
  const Target *target = facets.compile().target;
  if (!target)
    return {};
  return occupancySteps(*target, *function.demand);
}

std::string toText(const OccupancyView &view) {
  std::string text = llvm::formatv("{0} {1}/SM", view.blocks, blocksWord(view.blocks));
  if (view.staticBytes > 0)
    text += llvm::formatv(" with {0} static bytes", groupedNumber(view.staticBytes));
  std::string spilled;
  if (view.spillBytes > 0)
    spilled = llvm::formatv(", {0} bytes spilled", groupedNumber(view.spillBytes));
  if (llvm::is_contained(view.limitedBy, "registers"))
    return text +
           llvm::formatv(", as many as {0} registers of a thread allow", view.registersOfThread)
               .str() +
           spilled;
  text += view.registersOfThread > 0
              ? llvm::formatv(", {0} registers of a thread", view.registersOfThread).str() + spilled
              : ", registers not counted";
  if (view.nextBlocks == 0)
    return text + "; the most that threads and block slots allow";
  return text + llvm::formatv("; {0} {1} <= {2} bytes: {3} less", view.nextBlocks,
                              view.nextBlocks == 1 ? "needs" : "need",
                              groupedNumber(view.nextBytes), groupedNumber(view.lessBytes))
                    .str();
}

} // namespace tilescope
