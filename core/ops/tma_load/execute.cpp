#include "core/exec/thread_group.h"

namespace tilescope {

void executeTmaLoad(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion barrier = group.evaluate(op.regions[2], lanes);
  LaneRegion source = group.evaluate(op.regions[0], lanes);
  LaneRegion destination = group.evaluate(op.regions[1], lanes);
  for (int64_t rank : ranksToCopyTo(op.attr(Attr::ClusterMask), group.block().rank))
    if (BlockState *to = reachBlock(group, rank, barrier, lanes.front()))
      startBox(group, source, destination, barrier, lanes.front(), *to);
}

} // namespace tilescope
