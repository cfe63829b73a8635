#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitMbarrierExpect(const OpStmt &op, CudaWriter &writer) {
  writer.line(llvm::formatv("{0}({1}, {2});", writer.call(Helper::MbarrierExpect),
                            writer.address(op.regions[0]), op.attr(Attr::Bytes)));
}

} // namespace tilescope
