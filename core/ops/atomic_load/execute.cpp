#include "core/exec/arithmetic.h"
#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

// Outside of a tensor it gives zero.
void executeAtomicLoad(const OpStmt &op, BlockFrame &frame) {
  TensorRegion src = frame.evaluate(op.regions[0]);
  TensorRegion result = frame.evaluate(op.regions[1]);
  int64_t place = src.tensor->indexOf(src.min);
  Number value = src.tensor->isFloat() ? Number{.f = 0} : Number{.i = 0};
  if (place >= 0) {
    std::lock_guard<std::mutex> lock(frame.memory().atomics);
    value = frame.read(src, place);
  }
  writeElement(frame, result, result.tensor->indexOf(result.min),
               bitsAs(src.tensor->dtype(), result.tensor->dtype(), value));
}

void executeAtomicLoad(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion src = group.evaluate(op.regions[0], lanes);
  LaneRegion result = group.evaluate(op.regions[1], lanes);
  for (uint32_t lane : lanes)
    group.store(result, lane, 0,
                bitsAs(src.buffer->dtype, result.buffer->dtype,
                       group.update(
                           src, lane, 0, AtomicAccess::Read, [](Number old) { return old; },
                           static_cast<MemoryOrder>(op.attr(Attr::Order)))));
}

} // namespace tilescope
