#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitNewName(const OpStmt &op, CudaWriter &writer) {
  writer.line(writer.assignment(op.regions[1], writer.element(op.regions[0])));
}

} // namespace tilescope
