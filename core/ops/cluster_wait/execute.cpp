#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeClusterWait(const OpStmt &op, BlockFrame &frame) { meetCluster(op, frame); }

void executeClusterWait(const OpStmt &, ThreadGroup &group, Lanes lanes) {
  awaitCluster(group, lanes, /*isOfBlock=*/false);
}

} // namespace tilescope
