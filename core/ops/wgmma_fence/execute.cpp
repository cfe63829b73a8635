#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeWgmmaFence(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  fenceRegisters(group, group.evaluate(op.regions[0], lanes), lanes);
}

// Tiles are computed at once.
void executeWgmmaFence(const OpStmt &, BlockFrame &) {}

} // namespace tilescope
