#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

// Who waits for whom is for strands (core/exec/strands.h).
void executeNamedBarrier(const OpStmt &, BlockFrame &) {}

void executeNamedBarrier(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  arriveAtNamed(group, {op.attr(Attr::Number), op.attr(Attr::Threads), op.attr(Attr::Waits) != 0},
                lanes);
}

} // namespace tilescope
