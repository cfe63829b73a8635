#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitTmaReduce(const OpStmt &op, CudaWriter &writer) {
  // By rank, from 2 on.
  constexpr Helper Reductions[] = {Helper::TmaReduce2D, Helper::TmaReduce3D, Helper::TmaReduce4D,
                                   Helper::TmaReduce5D};
  // In the order of AtomicKind.
  constexpr llvm::StringLiteral Kinds[] = {"Add", "Max", "Min"};
  const BufferRegion &tensor = op.regions[1];
  writer.line(llvm::formatv("{0}<TmaReduction::{1}>({2}, {3}, {4});",
                            writer.call(Reductions[tensor.ranges.size() - 2]),
                            Kinds[op.attr(Attr::Kind)], writer.tensorMap(op),
                            writer.address(op.regions[0]), boxCoordinates(tensor, writer)));
}

} // namespace tilescope
