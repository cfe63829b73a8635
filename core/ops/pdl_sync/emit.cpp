#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitPdlSync(const OpStmt &, CudaWriter &writer) {
  writer.line(writer.call(Helper::PdlSync) + "();");
}

} // namespace tilescope
