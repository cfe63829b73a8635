#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeProxyFence(const OpStmt &, ThreadGroup &group, Lanes lanes) {
  fenceProxy(group, lanes);
}

// The reference has no proxies.
void executeProxyFence(const OpStmt &, BlockFrame &) {}

} // namespace tilescope
