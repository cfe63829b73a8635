#include "core/access/access_program.h"
#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitBarrier(const OpStmt &op, CudaWriter &writer) {
  bool isWarp = op.attr(Attr::Scope) == static_cast<int64_t>(BarrierScope::Warp);
  writer.line(isWarp ? "__syncwarp();" : "__syncthreads();");
}

} // namespace tilescope
