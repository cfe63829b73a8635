#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

// Statement by statement all threads have done the one before.
void executeBarrier(const OpStmt &, BlockFrame &) {}

// Those of each warp that are in its mask, and no others, are there.
static void meetLanes(ThreadGroup &group, const LaneValues &masks, Lanes lanes) {
  for (uint32_t lane : lanes) {
    uint32_t warp = lane / LanesOfWarp * LanesOfWarp, present = 0;
    for (uint32_t other : lanes)
      if (other / LanesOfWarp * LanesOfWarp == warp)
        present |= 1U << other % LanesOfWarp;
    uint32_t size = std::min<uint32_t>(LanesOfWarp, group.size() - warp);
    uint32_t existing = size == LanesOfWarp ? ~0U : (1U << size) - 1;
    if ((static_cast<uint32_t>(masks[lane].i) & existing) != present)
      return group.find(FindingKind::DivergentBarrier, lane, "", "other");
  }
  group.meet(BarrierScope::Warp);
}

void executeBarrier(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  if (op.args[0])
    return meetLanes(group, group.evaluate(op.args[0], lanes), lanes);
  group.arriveAtBarrier(static_cast<BarrierScope>(op.attr(Attr::Scope)), lanes);
}

} // namespace tilescope
