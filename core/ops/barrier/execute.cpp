#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

// Statement by statement all threads have done the one before.
void executeBarrier(const OpStmt &, BlockFrame &) {}

void executeBarrier(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  group.arriveAtBarrier(static_cast<BarrierScope>(op.attr(Attr::Scope)), lanes);
}

} // namespace tilescope
