#include "core/exec/thread_group.h"

namespace tilescope {

void executeTmaReduce(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  group.block().boxStores.start(group, op, lanes.front());
}

} // namespace tilescope
