#include "core/codegen/cuda_writer.h"

namespace tilescope {

void emitPdlTrigger(const OpStmt &, CudaWriter &writer) {
  writer.line(writer.call(Helper::PdlTrigger) + "();");
}

} // namespace tilescope
