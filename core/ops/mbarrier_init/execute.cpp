#include "core/exec/block_frame.h"
#include "core/exec/mbarriers.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeMbarrierInit(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion barrier = group.evaluate(op.regions[0], lanes);
  group.store(barrier, lanes.front(), 0, Number{.i = 0});
  group.block().mbarriers.init(mbarrierOf(barrier, lanes.front()), op.attr(Attr::Arrivals));
}

void executeMbarrierInit(const OpStmt &op, BlockFrame &frame) {
  TensorRegion barrier = frame.evaluate(op.regions[0]);
  frame.write(barrier, barrier.at({}, {}), Number{.i = 0});
  frame.mbarriers.init(mbarrierOf(op.regions[0], frame), op.attr(Attr::Arrivals));
}

} // namespace tilescope
