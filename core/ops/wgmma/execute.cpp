#include "core/exec/thread_group.h"
#include "core/exec/wgmma_product.h"

namespace tilescope {

void executeWgmma(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  group.block().products.start(group, op, lanes);
}

void executeWgmma(const OpStmt &op, BlockFrame &frame) { multiplyOfWarpGroup(op, frame); }

} // namespace tilescope
