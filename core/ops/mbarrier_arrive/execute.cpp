#include "core/exec/block_frame.h"
#include "core/exec/mbarriers.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeMbarrierArrive(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion barrier = group.evaluate(op.regions[0], lanes);
  for (uint32_t lane : lanes) {
    group.load(barrier, lane, 0);
    Mbarriers &mbarriers = group.block().mbarriers;
    mbarriers.tell(mbarrierOf(barrier, lane), whatIsDone(group));
    if (!mbarriers.arrive(mbarrierOf(barrier, lane), 0))
      return group.find(FindingKind::PhaseOverrun, lane, barrier.buffer->name);
  }
}

void executeMbarrierArrive(const OpStmt &op, BlockFrame &frame) {
  TensorRegion barrier = frame.evaluate(op.regions[0]);
  frame.read(barrier, barrier.at({}, {}));
  if (!frame.mbarriers.arrive(mbarrierOf(op.regions[0], frame), 0))
    frame.fail(op, "threads arrive more often than a phase takes", FindingKind::PhaseOverrun);
}

} // namespace tilescope
