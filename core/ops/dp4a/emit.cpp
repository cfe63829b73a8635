#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitDp4a(const OpStmt &op, CudaWriter &writer) {
  std::string sum =
      llvm::formatv("{0}({1}, {2}, {3})", writer.call(Helper::Dp4a), writer.address(op.regions[0]),
                    writer.address(op.regions[1]), writer.element(op.regions[2]));
  writer.line(writer.assignment(op.regions[2], sum));
}

} // namespace tilescope
