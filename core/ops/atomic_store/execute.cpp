#include "core/exec/arithmetic.h"
#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeAtomicStore(const OpStmt &op, BlockFrame &frame) {
  TensorRegion dst = frame.evaluate(op.regions[0]);
  Number value = frame.evaluate(op.args[0]);
  frame.reads().use();
  int64_t place = dst.tensor->indexOf(dst.min);
  if (place < 0)
    return frame.storeOutside(op, dst.buffer, dst.min);
  std::lock_guard<std::mutex> lock(frame.memory().atomics);
  frame.write(dst, place, bitsAs(op.args[0]->dtype(), dst.tensor->dtype(), value));
}

void executeAtomicStore(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion dst = group.evaluate(op.regions[0], lanes);
  LaneValues values = group.evaluate(op.args[0], lanes);
  for (uint32_t lane : lanes)
    group.update(
        dst, lane, 0, AtomicAccess::Write,
        [&](Number) { return bitsAs(op.args[0]->dtype(), dst.buffer->dtype, values[lane]); },
        static_cast<MemoryOrder>(op.attr(Attr::Order)));
}

} // namespace tilescope
