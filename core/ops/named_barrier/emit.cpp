#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitNamedBarrier(const OpStmt &op, CudaWriter &writer) {
  Helper helper = op.attr(Attr::Waits) ? Helper::BarrierSync : Helper::BarrierArrive;
  writer.line(llvm::formatv("{0}({1}, {2});", writer.call(helper), op.attr(Attr::Number),
                            op.attr(Attr::Threads)));
}

} // namespace tilescope
