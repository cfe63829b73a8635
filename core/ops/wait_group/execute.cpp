#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeWaitGroup(const OpStmt &op, BlockFrame &frame) {
  frame.waitForCopies(op.attr(Attr::Pending));
}

void executeWaitGroup(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  group.wait(lanes, op.attr(Attr::Pending));
}

} // namespace tilescope
