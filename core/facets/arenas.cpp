#include "core/facets/arenas.h"

#include "core/plan/arena_problem.h"

namespace tilescope {

void computeFacet(const Module &module, const Target &target, std::vector<ArenaRecord> &records) {
  for (const Function *function : module.functions) {
    const FunctionArena &arena = computeFunctionArena(*module.context, *function, target);
    if (arena.problem.buffers.empty() && arena.launchSized.empty())
      continue;
    records.push_back({function->name.str(), arena.isPreview, arena.unknown, arena.problem,
                       currentPlan(*function, arena), arena.launchSized});
  }
}

} // namespace tilescope
