#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitMbarrierWait(const OpStmt &op, CudaWriter &writer) {
  writer.line(llvm::formatv("{0}({1}, {2});", writer.call(Helper::MbarrierWait),
                            writer.address(op.regions[0]), writer.index(op.args[0])));
}

} // namespace tilescope
