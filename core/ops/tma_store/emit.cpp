#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitTmaStore(const OpStmt &op, CudaWriter &writer) {
  // By rank, from 2 on.
  constexpr Helper Stores[] = {Helper::TmaStore2D, Helper::TmaStore3D, Helper::TmaStore4D,
                               Helper::TmaStore5D};
  const BufferRegion &tensor = op.regions[1];
  writer.line(llvm::formatv("{0}({1}, {2}, {3});", writer.call(Stores[tensor.ranges.size() - 2]),
                            writer.tensorMap(op), writer.address(op.regions[0]),
                            boxCoordinates(tensor, writer)));
}

} // namespace tilescope
