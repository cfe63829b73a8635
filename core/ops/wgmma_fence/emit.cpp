#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitWgmmaFence(const OpStmt &, CudaWriter &writer) {
  writer.line(writer.call(Helper::WgmmaFence) + "();");
}

} // namespace tilescope
