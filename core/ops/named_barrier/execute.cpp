#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

// Statement by statement all threads have done the one before. Those that arrive in several places
// would have to come there at the same time.
void executeNamedBarrier(const OpStmt &op, BlockFrame &frame) {
  auto count = static_cast<int64_t>(frame.activeThreads.size());
  if (count != 0 && count != op.attr(Attr::Threads))
    frame.fail(op, std::to_string(count) + " threads get to a barrier of " +
                       std::to_string(op.attr(Attr::Threads)) +
                       " here; the reference does not run several places at the same time");
}

void executeNamedBarrier(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  arriveAtNamed(group, {op.attr(Attr::Number), op.attr(Attr::Threads), op.attr(Attr::Waits) != 0},
                lanes);
}

} // namespace tilescope
