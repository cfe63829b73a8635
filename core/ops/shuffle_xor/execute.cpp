#include "core/exec/thread_group.h"

namespace tilescope {

// The last warp of a block may lack the thread: then its own value counts.
void executeShuffleXor(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  auto mask = static_cast<uint32_t>(op.attr(Attr::LaneMask));
  exchangeRegisters(op, group, lanes, [&](uint32_t lane) {
    return (lane ^ mask) < group.size() ? lane ^ mask : lane;
  });
}

} // namespace tilescope
