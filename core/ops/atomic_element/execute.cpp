#include "core/exec/arithmetic.h"
#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"
#include "core/ir/atomic_attrs.h"

namespace tilescope {

void executeAtomicElement(const OpStmt &op, BlockFrame &frame) {
  TensorRegion dst = frame.evaluate(op.regions[0]);
  Number value = frame.evaluate(op.args[0]);
  int64_t place = dst.tensor->indexOf(dst.min);
  if (place < 0)
    return frame.storeOutside(op, dst.buffer, dst.min);
  frame.reads().use();
  std::lock_guard<std::mutex> lock(frame.memory().atomics);
  Number old = frame.read(dst, place);
  frame.write(dst, place,
              atomicOnBits(atomicKindOf(op.attr(Attr::Kind)), dst.tensor->dtype(),
                           op.args[0]->dtype(), old, value));
}

void executeAtomicElement(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion dst = group.evaluate(op.regions[0], lanes);
  LaneValues values = group.evaluate(op.args[0], lanes);
  AtomicKind kind = atomicKindOf(op.attr(Attr::Kind));
  for (uint32_t lane : lanes)
    group.update(
        dst, lane, 0, AtomicAccess::Update,
        [&](Number old) {
          return atomicOnBits(kind, dst.buffer->dtype, op.args[0]->dtype(), old, values[lane]);
        },
        static_cast<MemoryOrder>(op.attr(Attr::Order)));
}

} // namespace tilescope
