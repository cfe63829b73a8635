#include "core/exec/thread_group.h"

namespace tilescope {

void executeWgmmaWait(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  group.block().products.wait(group, lanes, op.attr(Attr::Pending));
  group.setStatement(op);
}

void executeWgmmaWait(const OpStmt &, BlockFrame &) {}

} // namespace tilescope
