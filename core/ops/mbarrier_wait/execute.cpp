#include "core/exec/block_frame.h"
#include "core/exec/mbarriers.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeMbarrierWait(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion barrier = group.evaluate(op.regions[0], lanes);
  LaneValues parity = group.evaluateIndex(op.args[0], lanes);
  for (uint32_t lane : lanes)
    group.load(barrier, lane, 0);
  BlockState &block = group.block();
  awaitPhase(group,
             [&group, &block, name = mbarrierOf(barrier, lanes.front()),
              wanted = parity[lanes.front()].i, waiting = llvm::SmallVector<uint32_t, 32>(lanes)] {
               bool hasEnded = block.mbarriers.hasEnded(name, wanted, momentOf(group));
               if (hasEnded)
                 learn(group, block.mbarriers.told(name));
               if (hasEnded && block.cluster)
                 learnOfBlocks(group, waiting, block.mbarriers.toldBlocks(name));
               return hasEnded;
             });
}

void executeMbarrierWait(const OpStmt &op, BlockFrame &frame) {
  TensorRegion barrier = frame.evaluate(op.regions[0]);
  frame.read(barrier, barrier.at({}, {}));
  auto hasEnded = [&, name = mbarrierOf(op.regions[0], frame),
                   parity = frame.evaluateInt(op.args[0])] {
    return frame.mbarriers.hasEnded(name, parity, Moment());
  };
  if (!hasEnded() && !(frame.blocks && frame.blocks->await(hasEnded)))
    frame.fail(op, "no phase ends that is waited for here", FindingKind::EndlessWait);
}

} // namespace tilescope
