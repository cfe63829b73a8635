#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

// Who waits asks whether others have come.
void executeClusterArrive(const OpStmt &, BlockFrame &) {}

void executeClusterArrive(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  arriveAtCluster(group, lanes, op.attr(Attr::Relaxed) != 0);
}

} // namespace tilescope
