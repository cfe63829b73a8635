#include "core/facets/accesses.h"

#include "core/plan/arena_problem.h"

namespace tilescope {

void computeFacet(const Module &module, const Target &target, std::vector<AccessRecord> &records) {
  for (const Function *function : module.functions) {
    const FunctionArena &arena = computeFunctionArena(*module.context, *function, target);
    records.push_back({function->name.str(), arena.program, arena.lifetimes});
  }
}

} // namespace tilescope
