#include "core/access/access_program.h"
#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitBarrier(const OpStmt &op, CudaWriter &writer) {
  bool isWarp = op.attr(Attr::Scope) == static_cast<int64_t>(BarrierScope::Warp);
  std::string mask = op.args[0] ? writer.value(op.args[0]) : "";
  writer.line(isWarp ? "__syncwarp(" + mask + ");" : "__syncthreads();");
}

} // namespace tilescope
