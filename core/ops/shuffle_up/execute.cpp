#include "core/exec/thread_group.h"

namespace tilescope {

void executeShuffleUp(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  auto distance = static_cast<uint32_t>(op.attr(Attr::Lanes));
  exchangeRegisters(op, group, lanes, [&](uint32_t lane) {
    return lane % LanesOfWarp >= distance ? lane - distance : lane;
  });
}

} // namespace tilescope
