#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitShuffleUp(const OpStmt &op, CudaWriter &writer) {
  writer.line(writer.assignment(
      op.regions[1], llvm::formatv("__shfl_up_sync(0xffffffffu, {0}, {1})",
                                   writer.element(op.regions[0]), op.attr(Attr::Lanes))));
}

} // namespace tilescope
