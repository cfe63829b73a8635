#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeGridBarrier(const OpStmt &op, BlockFrame &frame) {
  if (!frame.blocks || !frame.blocks->meet())
    frame.fail(op, "not all blocks get to a barrier of the grid", FindingKind::MissedBarrier);
}

void executeGridBarrier(const OpStmt &, ThreadGroup &group, Lanes lanes) {
  arriveAtGrid(group, lanes);
}

} // namespace tilescope
