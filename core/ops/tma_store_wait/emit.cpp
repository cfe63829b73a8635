#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitTmaStoreWait(const OpStmt &op, CudaWriter &writer) {
  writer.line(
      llvm::formatv("{0}<{1}>();", writer.call(Helper::TmaStoreWait), op.attr(Attr::Pending)));
}

} // namespace tilescope
