#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitMbarrierArrive(const OpStmt &op, CudaWriter &writer) {
  writer.line(llvm::formatv("{0}({1});", writer.call(Helper::MbarrierArrive),
                            writer.address(op.regions[0])));
}

} // namespace tilescope
