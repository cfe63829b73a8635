#include "core/exec/thread_group.h"

namespace tilescope {

void executeTmaLoad(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion barrier = group.evaluate(op.regions[2], lanes);
  group.load(barrier, lanes.front(), 0);
  startBox(group, group.evaluate(op.regions[0], lanes), group.evaluate(op.regions[1], lanes),
           barrier, lanes.front());
}

} // namespace tilescope
