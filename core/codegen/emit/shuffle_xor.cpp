#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitShuffleXor(const OpStmt &op, CudaWriter &writer) {
  writer.line(llvm::formatv("{0} = __shfl_xor_sync(0xffffffffu, {1}, {2});",
                            writer.element(op.regions[1]), writer.element(op.regions[0]),
                            op.attr(Attr::LaneMask)));
}

} // namespace tilescope
