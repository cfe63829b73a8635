#include "core/codegen/cuda_atomics.h"

namespace tilescope {

void emitAtomicLoad(const OpStmt &op, CudaWriter &writer) {
  auto order = static_cast<MemoryOrder>(op.attr(Attr::Order));
  if (order == MemoryOrder::SeqCst)
    writer.line("__threadfence();");
  writer.line(writer.assignment(
      op.regions[1],
      writer.call(Helper::AtomicRead) + "(" +
          atomicAddress(writer, op.regions[0], writer.buffer(op.regions[1].buffer).dtype) + ")"));
  fenceBehind(writer, op.attr(Attr::Order));
}

} // namespace tilescope
