#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitWgmmaCommit(const OpStmt &, CudaWriter &writer) {
  writer.line(writer.call(Helper::WgmmaCommit) + "();");
}

} // namespace tilescope
