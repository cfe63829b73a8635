#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitAtomicAddElement(const OpStmt &op, CudaWriter &writer) {
  writer.line("atomicAdd(" + writer.address(op.regions[0]) + ", " + writer.value(op.args[0]) +
              ");");
}

} // namespace tilescope
