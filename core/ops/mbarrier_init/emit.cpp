#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitMbarrierInit(const OpStmt &op, CudaWriter &writer) {
  writer.line(llvm::formatv("{0}({1}, {2});", writer.call(Helper::MbarrierInit),
                            writer.address(op.regions[0]), op.attr(Attr::Arrivals)));
}

} // namespace tilescope
