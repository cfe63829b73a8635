#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitActiveLanes(const OpStmt &op, CudaWriter &writer) {
  writer.line(writer.assignment(op.regions[0], "__activemask()"));
}

} // namespace tilescope
