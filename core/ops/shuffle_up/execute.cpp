#include "core/exec/thread_group.h"

namespace tilescope {

void executeShuffleUp(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion src = group.evaluate(op.regions[0], lanes);
  LaneRegion dst = group.evaluate(op.regions[1], lanes);
  LaneValues values(group.size(), Number{.i = 0});
  for (uint32_t lane : lanes)
    values[lane] = group.load(src, lane, 0);
  for (uint32_t lane : lanes) {
    auto distance = static_cast<uint32_t>(op.attr(Attr::Lanes));
    uint32_t from = lane % LanesOfWarp >= distance ? lane - distance : lane;
    group.store(dst, lane, 0, values[from]);
  }
}

} // namespace tilescope
