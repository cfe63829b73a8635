#include "core/codegen/cuda_atomics.h"

namespace tilescope {

void emitAtomicStore(const OpStmt &op, CudaWriter &writer) {
  DType dtype = op.args[0]->dtype();
  std::string type = cudaValueType(dtype);
  fenceBefore(writer, op.attr(Attr::Order));
  writer.line(writer.call(Helper::AtomicWrite) + "(" + atomicAddress(writer, op.regions[0], dtype) +
              ", " + type + "(" + writer.value(op.args[0]) + "));");
  if (static_cast<MemoryOrder>(op.attr(Attr::Order)) == MemoryOrder::SeqCst)
    writer.line("__threadfence();");
}

} // namespace tilescope
