#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitWgmmaWait(const OpStmt &op, CudaWriter &writer) {
  writer.line(llvm::formatv("{0}<{1}>();", writer.call(Helper::WgmmaWait), op.attr(Attr::Pending)));
}

} // namespace tilescope
