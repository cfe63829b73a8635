#include "core/exec/block_frame.h"
#include "core/exec/mbarriers.h"
#include "core/exec/thread_group.h"
#include "core/exec/tile_move.h"

namespace tilescope {

void executeTmaCopy(const OpStmt &op, BlockFrame &frame) {
  TensorRegion barrier = frame.evaluate(op.regions[2]);
  frame.read(barrier, barrier.at({}, {}));
  std::vector<CopiesInFlight::Element> elements;
  moveTile(op, frame, [&](const TensorRegion &to, int64_t place, Number value) {
    elements.push_back(beginCopy(frame, to, place, value));
  });
  if (elements.empty())
    return;
  auto count = static_cast<int64_t>(elements.size());
  int64_t bytes = elements.front().tensor->dtype().bytes(count);
  frame.mbarriers.start(
      mbarrierOf(op.regions[2], frame),
      {&op, op.regions[1].buffer, bytes, [&frame, elements](const PhaseArrival &, const Moment &) {
         for (const CopiesInFlight::Element &element : elements)
           endCopy(frame, element);
       }});
}

} // namespace tilescope
