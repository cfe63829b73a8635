#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitRngInit(const OpStmt &op, CudaWriter &writer) {
  writer.line(llvm::formatv("{0}({1}, {2}, {3}, {4});", writer.call(Helper::RngInit),
                            writer.address(op.regions[0]), writer.value(op.args[0]),
                            writer.value(op.args[1]), writer.value(op.args[2])));
}

} // namespace tilescope
