#include "core/exec/block_frame.h"
#include "core/exec/mbarriers.h"
#include "core/exec/thread_group.h"
#include "core/ir/op_facts.h"

namespace tilescope {

void executeMbarrierArrive(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion barrier = group.evaluate(op.regions[0], lanes);
  const Expr *rank = rankOf(op);
  LaneValues ranks = rank ? group.evaluateIndex(rank, lanes)
                          : LaneValues(group.size(), Number{.i = group.block().rank});
  for (uint32_t lane : lanes) {
    BlockState *block = reachBlock(group, ranks[lane].i, barrier, lane);
    if (!block)
      return;
    Mbarriers::Name name = mbarrierOf(barrier, lane);
    bool isOwn = block == &group.block();
    if (block->cluster)
      tellBlocks(group, block->mbarriers.arrivingBlocks(name), /*onlyReads=*/!isOwn);
    const WarpKnowledge &done = whatIsDone(group);
    if (isOwn)
      block->mbarriers.tell(name, done);
    if (!block->mbarriers.arrive(name, 0))
      return group.find(FindingKind::PhaseOverrun, lane, barrier.buffer->name);
  }
}

void executeMbarrierArrive(const OpStmt &op, BlockFrame &frame) {
  TensorRegion barrier = frame.evaluate(op.regions[0]);
  frame.read(barrier, barrier.at({}, {}));
  const Expr *rank = rankOf(op);
  BlockFrame *block = rank ? reachBlock(op, frame, frame.evaluateInt(rank)) : &frame;
  if (block && !block->mbarriers.arrive(mbarrierOf(op.regions[0], frame), 0))
    frame.fail(op, "threads arrive more often than a phase takes", FindingKind::PhaseOverrun);
}

} // namespace tilescope
