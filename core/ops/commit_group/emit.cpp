#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitCommitGroup(const OpStmt &, CudaWriter &writer) {
  writer.line(writer.call(Helper::CpAsyncCommit) + "();");
}

} // namespace tilescope
