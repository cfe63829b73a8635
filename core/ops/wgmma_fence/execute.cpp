#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

// It orders what is executed in order here.
void executeWgmmaFence(const OpStmt &, ThreadGroup &, Lanes) {}

void executeWgmmaFence(const OpStmt &, BlockFrame &) {}

} // namespace tilescope
