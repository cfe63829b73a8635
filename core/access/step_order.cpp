#include "core/access/step_order.h"

#include <algorithm>

namespace tilescope {

void join(Knowledge &known, llvm::ArrayRef<int32_t> other) {
  const size_t count = std::min(known.size(), other.size());
  int32_t *mine = known.data();
  for (size_t figure = 0; figure != count; ++figure)
    mine[figure] = std::max(mine[figure], other[figure]);
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

bool makes(const AccessProgram &program, const Strand &strand, const LaneStep &step, bool hasRoles,
           std::optional<size_t> outsideLane) {
  bool isByOne = program.nodes[step.node].oneThread && !step.isOpaque;
  if (outsideLane && isByOne && step.isOutside && hasRoles)
    return strand.isElected && strand.lane == *outsideLane;
  return makes(program, strand, step, hasRoles);
}

bool StepOrder::makes(const AccessProgram &program, size_t strand, const LaneStep &step) const {
  return tilescope::makes(program, strands[strand], step, hasRoles(), outsideLane);
}

} // namespace tilescope
