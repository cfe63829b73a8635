#include "core/facets/arenas.h"

#include "core/plan/arena_problem.h"

namespace tilescope {

void computeFacet(const Module &module, const Target &target, std::vector<ArenaRecord> &records) {
  for (const Function *function : module.functions) {
    const FunctionArena &arena = computeFunctionArena(*module.context, *function, target);
    if (arena.problem.buffers.empty() && arena.launchSized.empty())
      continue;
    // Nothing that is open of our final plans makes lives shorter.
    std::vector<std::string> unknown = arena.isPreview ? arena.unknown : std::vector<std::string>();
    records.push_back({function->name.str(), arena.isPreview, std::move(unknown), arena.problem,
                       currentPlan(*module.context, *function, arena), arena.launchSized});
  }
}

} // namespace tilescope
