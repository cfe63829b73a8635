#include "core/exec/block_frame.h"
#include "core/exec/mbarriers.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeMbarrierExpect(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion barrier = group.evaluate(op.regions[0], lanes);
  group.load(barrier, lanes.front(), 0);
  group.block().mbarriers.expect(mbarrierOf(barrier, lanes.front()), op.attr(Attr::Bytes));
}

void executeMbarrierExpect(const OpStmt &op, BlockFrame &frame) {
  TensorRegion barrier = frame.evaluate(op.regions[0]);
  frame.read(barrier, barrier.at({}, {}));
  frame.mbarriers.expect(mbarrierOf(op.regions[0], frame), op.attr(Attr::Bytes));
}

} // namespace tilescope
