#include "core/codegen/cuda_atomics.h"

namespace tilescope {

void emitAtomicStore(const OpStmt &op, CudaWriter &writer) {
  std::string type = cudaValueType(writer.buffer(op.regions[0].buffer).dtype);
  fenceBefore(writer, op.attr(Attr::Order));
  writer.line(writer.call(Helper::AtomicWrite) + "(" + writer.address(op.regions[0]) + ", " + type +
              "(" + writer.value(op.args[0]) + "));");
  if (static_cast<MemoryOrder>(op.attr(Attr::Order)) == MemoryOrder::SeqCst)
    writer.line("__threadfence();");
}

} // namespace tilescope
