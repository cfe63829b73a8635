#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitProxyFence(const OpStmt &, CudaWriter &writer) {
  writer.line(writer.call(Helper::ProxyFence) + "();");
}

} // namespace tilescope
