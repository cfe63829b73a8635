#include "core/exec/arithmetic.h"
#include "core/exec/block_frame.h"
#include "core/exec/thread_group.h"

namespace tilescope {

// Both are runs along the last axis; what lies outside a global destination is dropped.
void executeAtomicVector(const OpStmt &op, BlockFrame &frame) {
  TensorRegion dst = frame.evaluate(op.regions[0]);
  TensorRegion src = frame.evaluate(op.regions[1]);
  std::lock_guard<std::mutex> lock(frame.memory().atomics);
  for (int64_t element = 0; element != dst.extent.back(); ++element) {
    llvm::SmallVector<int64_t> to = dst.min, from = src.min;
    to.back() += element;
    from.back() += element;
    int64_t target = dst.tensor->indexOf(to);
    int64_t source = src.tensor->indexOf(from);
    if (target < 0)
      frame.storeOutside(op, dst.buffer, to);
    if (target < 0 || source < 0)
      continue;
    Number value = readElement(frame, op, src, source);
    frame.reads().use();
    Number old = frame.read(dst, target);
    frame.write(dst, target, atomicOf(AtomicKind::Add, dst.tensor->dtype(), old, value));
  }
}

void executeAtomicVector(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneRegion dst = group.evaluate(op.regions[0], lanes);
  LaneRegion src = group.evaluate(op.regions[1], lanes);
  for (uint32_t lane : lanes)
    for (int64_t element = 0; element != dst.size(); ++element) {
      Number value = group.load(src, lane, element);
      group.update(dst, lane, element, AtomicAccess::Update, [&](Number old) {
        return atomicOf(AtomicKind::Add, dst.buffer->dtype, old, value);
      });
    }
}

} // namespace tilescope
