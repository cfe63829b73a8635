#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitGridBarrier(const OpStmt &, CudaWriter &writer) {
  writer.line(writer.call(Helper::GridSync) + "();");
}

} // namespace tilescope
