#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitClusterArrive(const OpStmt &op, CudaWriter &writer) {
  Helper helper = op.attr(Attr::Relaxed) ? Helper::ClusterArriveRelaxed : Helper::ClusterArrive;
  writer.line(writer.call(helper) + "();");
}

} // namespace tilescope
