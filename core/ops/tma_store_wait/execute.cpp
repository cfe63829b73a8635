#include "core/exec/thread_group.h"

namespace tilescope {

void executeTmaStoreWait(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  group.block().boxStores.wait(group, lanes.front(), op.attr(Attr::Pending));
  group.setStatement(op);
}

} // namespace tilescope
