#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeAtomicAddElement(const OpStmt &op, BlockFrame &frame) {
  TensorRegion dst = frame.evaluate(op.regions[0]);
  Number sum = frame.evaluate(op.args[0]);
  int64_t place = dst.tensor->indexOf(dst.min);
  if (place < 0)
    return frame.storeOutside(op, dst.buffer, dst.min);
  frame.reads().use();
  std::lock_guard<std::mutex> lock(frame.memory().atomics);
  Number old = frame.read(dst, place);
  if (dst.tensor->isFloat())
    sum.f += old.f;
  else
    sum.i += old.i;
  frame.write(dst, place, sum);
}

void executeAtomicAddElement(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion dst = group.evaluate(op.regions[0], lanes);
  LaneValues values = group.evaluate(op.args[0], lanes);
  for (uint32_t lane : lanes)
    group.add(dst, lane, 0, values[lane]);
}

} // namespace tilescope
