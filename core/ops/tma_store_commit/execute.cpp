#include "core/exec/thread_group.h"

namespace tilescope {

void executeTmaStoreCommit(const OpStmt &, ThreadGroup &group, Lanes lanes) {
  group.block().boxStores.commit(group, lanes.front());
}

} // namespace tilescope
