#include "core/codegen/cuda_writer.h"
#include "core/ir/op_facts.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitMbarrierArrive(const OpStmt &op, CudaWriter &writer) {
  if (const Expr *rank = rankOf(op))
    return writer.line(llvm::formatv("{0}({1}, {2});", writer.call(Helper::MbarrierArriveAt),
                                     writer.address(op.regions[0]), writer.index(rank)));
  writer.line(llvm::formatv("{0}({1});", writer.call(Helper::MbarrierArrive),
                            writer.address(op.regions[0])));
}

} // namespace tilescope
