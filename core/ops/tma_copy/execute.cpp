#include "core/exec/block_frame.h"
#include "core/exec/cluster_meeting.h"
#include "core/exec/mbarriers.h"
#include "core/exec/thread_group.h"
#include "core/exec/tile_move.h"

namespace tilescope {

static void copyTo(BlockFrame &block, const OpStmt &op, BlockFrame &frame) {
  std::vector<CopiesInFlight::Element> elements;
  moveTile(op, frame, [&](const TensorRegion &, int64_t place, Number value) {
    elements.push_back(beginCopyIn(block, frame, op.regions[1], place, value));
  });
  if (elements.empty())
    return;
  auto count = static_cast<int64_t>(elements.size());
  int64_t bytes = elements.front().tensor->dtype().bytes(count);
  block.mbarriers.start(
      mbarrierOf(op.regions[2], frame),
      {&op, op.regions[1].buffer, bytes, [&block, elements](const PhaseArrival &, const Moment &) {
         for (const CopiesInFlight::Element &element : elements)
           endCopy(block, element);
       }});
}

void executeTmaCopy(const OpStmt &op, BlockFrame &frame) {
  TensorRegion barrier = frame.evaluate(op.regions[2]);
  frame.read(barrier, barrier.at({}, {}));
  for (int64_t rank : ranksToCopyTo(op.attr(Attr::ClusterMask), frame.cluster.rank))
    if (BlockFrame *block = reachBlock(op, frame, rank))
      copyTo(*block, op, frame);
}

} // namespace tilescope
