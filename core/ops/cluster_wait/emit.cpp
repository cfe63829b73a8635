#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitClusterWait(const OpStmt &, CudaWriter &writer) {
  writer.line(writer.call(Helper::ClusterWait) + "();");
}

} // namespace tilescope
