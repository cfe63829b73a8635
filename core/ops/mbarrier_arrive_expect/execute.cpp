#include "core/exec/block_frame.h"
#include "core/exec/mbarriers.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeMbarrierArriveExpect(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion barrier = group.evaluate(op.regions[0], lanes);
  group.load(barrier, lanes.front(), 0);
  if (!group.block().mbarriers.arrive(mbarrierOf(barrier, lanes.front()), op.attr(Attr::Bytes)))
    group.find(FindingKind::PhaseOverrun, lanes.front(), barrier.buffer->name);
}

void executeMbarrierArriveExpect(const OpStmt &op, BlockFrame &frame) {
  TensorRegion barrier = frame.evaluate(op.regions[0]);
  frame.read(barrier, barrier.at({}, {}));
  if (!frame.mbarriers.arrive(mbarrierOf(op.regions[0], frame), op.attr(Attr::Bytes)))
    frame.fail(op, "threads arrive more often than a phase takes", FindingKind::PhaseOverrun);
}

} // namespace tilescope
