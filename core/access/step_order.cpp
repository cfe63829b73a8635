#include "core/access/step_order.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

void join(Knowledge &known, llvm::ArrayRef<int32_t> other) {
  for (auto [mine, theirs] : llvm::zip(known, other))
    mine = std::max(mine, theirs);
}

bool makes(const AccessProgram &program, const Strand &strand, const LaneStep &step,
           bool hasRoles) {
  const AccessNode &node = program.nodes[step.node];
  if (strand.isOutside)
    return step.isOutside || (node.isOfAllLanes && !node.oneThread);
  if (!node.oneThread || step.isOpaque)
    return true;
  return strand.isElected && !(step.isOutside && hasRoles);
}

bool StepOrder::makes(const AccessProgram &program, size_t strand, const LaneStep &step) const {
  const Strand &who = strands[strand];
  bool isByOne = program.nodes[step.node].oneThread && !step.isOpaque;
  if (outsideLane && isByOne && step.isOutside && hasRoles())
    return who.isElected && who.lane == *outsideLane;
  return tilescope::makes(program, who, step, hasRoles());
}

} // namespace tilescope
