#include "core/exec/arithmetic.h"
#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"
#include "core/ir/atomic_attrs.h"

namespace tilescope {

// Outside of a tensor nothing happens, and zero was there.
void executeAtomicFetch(const OpStmt &op, BlockFrame &frame) {
  TensorRegion dst = frame.evaluate(op.regions[0]);
  TensorRegion result = frame.evaluate(op.regions[1]);
  Number value = frame.evaluate(op.args[0]);
  frame.reads().use();
  int64_t place = dst.tensor->indexOf(dst.min);
  DType element = dst.tensor->dtype(), dtype = op.args[0]->dtype();
  Number old = element.isFloat() ? Number{.f = 0} : Number{.i = 0};
  if (place < 0) {
    frame.storeOutside(op, dst.buffer, dst.min);
  } else {
    std::lock_guard<std::mutex> lock(frame.memory().atomics);
    old = frame.read(dst, place);
    frame.write(dst, place,
                atomicOnBits(atomicKindOf(op.attr(Attr::Kind)), element, dtype, old, value));
  }
  writeElement(frame, result, result.tensor->indexOf(result.min), bitsAs(element, dtype, old));
}

void executeAtomicFetch(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion dst = group.evaluate(op.regions[0], lanes);
  LaneRegion result = group.evaluate(op.regions[1], lanes);
  LaneValues values = group.evaluate(op.args[0], lanes);
  AtomicKind kind = atomicKindOf(op.attr(Attr::Kind));
  for (uint32_t lane : lanes) {
    DType element = dst.buffer->dtype, dtype = op.args[0]->dtype();
    auto next = [&](Number old) { return atomicOnBits(kind, element, dtype, old, values[lane]); };
    Number before = group.update(dst, lane, 0, AtomicAccess::Update, next,
                                 static_cast<MemoryOrder>(op.attr(Attr::Order)));
    group.store(result, lane, 0, bitsAs(element, dtype, before));
  }
}

} // namespace tilescope
