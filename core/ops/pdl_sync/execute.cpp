#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

// Launches are executed one after the other.
void executePdlSync(const OpStmt &, BlockFrame &) {}

void executePdlSync(const OpStmt &, ThreadGroup &, Lanes) {}

} // namespace tilescope
