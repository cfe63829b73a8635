#include "core/exec/thread_group.h"

namespace tilescope {

void executeWgmmaCommit(const OpStmt &, ThreadGroup &group, Lanes lanes) {
  group.block().products.commit(group, lanes);
}

void executeWgmmaCommit(const OpStmt &, BlockFrame &) {}

} // namespace tilescope
