#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeClusterBarrier(const OpStmt &op, BlockFrame &frame) { meetCluster(op, frame); }

void executeClusterBarrier(const OpStmt &, ThreadGroup &group, Lanes lanes) {
  if (arriveAtCluster(group, lanes, /*isRelaxed=*/false))
    awaitCluster(group, lanes, /*isOfBlock=*/true);
}

} // namespace tilescope
