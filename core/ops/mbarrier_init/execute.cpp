#include "core/exec/block_frame.h"
#include "core/exec/mbarriers.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeMbarrierInit(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion barrier = group.evaluate(op.regions[0], lanes);
  group.store(barrier, lanes.front(), 0, Number{.i = 0});
  if (!group.block().mbarriers.init(mbarrierOf(barrier, lanes.front()), op.attr(Attr::Arrivals)))
    group.find(FindingKind::BegunInFlight, lanes.front(), barrier.buffer->name);
}

void executeMbarrierInit(const OpStmt &op, BlockFrame &frame) {
  TensorRegion barrier = frame.evaluate(op.regions[0]);
  frame.write(barrier, barrier.at({}, {}), Number{.i = 0});
  if (!frame.mbarriers.init(mbarrierOf(op.regions[0], frame), op.attr(Attr::Arrivals)))
    frame.fail(op, "phases begin anew while a copy that they count is in flight",
               FindingKind::BegunInFlight);
}

} // namespace tilescope
