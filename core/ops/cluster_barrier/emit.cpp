#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitClusterBarrier(const OpStmt &, CudaWriter &writer) {
  writer.line(writer.call(Helper::ClusterBarrier) + "();");
}

} // namespace tilescope
