#include "core/exec/block_frame.h"

namespace tilescope {

// Tiles are moved whole and at once: there is nothing to order.
void executeCommitGroup(const OpStmt &, BlockFrame &) {}

} // namespace tilescope
