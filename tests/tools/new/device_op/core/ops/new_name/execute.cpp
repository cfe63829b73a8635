#include "core/exec/thread_group.h"

namespace tilescope {

void executeNewName(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion src = group.evaluate(op.regions[0], lanes);
  LaneRegion dst = group.evaluate(op.regions[1], lanes);
  for (uint32_t lane : lanes)
    group.store(dst, lane, 0, group.load(src, lane, 0));
}

} // namespace tilescope
