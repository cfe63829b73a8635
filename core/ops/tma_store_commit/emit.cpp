#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitTmaStoreCommit(const OpStmt &, CudaWriter &writer) {
  writer.line(writer.call(Helper::TmaStoreCommit) + "();");
}

} // namespace tilescope
