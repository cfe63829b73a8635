#include "core/facets/arenas.h"

#include "core/plan/arena_problem.h"

namespace tilescope {

void computeFacet(const Module &module, const Target &target, std::vector<ArenaRecord> &records) {
  for (const Function *function : module.functions) {
    FunctionArena arena = computeFunctionArena(*module.context, *function, target);
    if (arena.problem.buffers.empty() && arena.symbolic.empty())
      continue;
    ArenaPlan plan = currentPlan(*function, arena);
    records.push_back({function->name.str(), arena.isPreview, std::move(arena.unknown),
                       std::move(arena.problem), std::move(plan)});
  }
}

} // namespace tilescope
