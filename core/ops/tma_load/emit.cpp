#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitTmaLoad(const OpStmt &op, CudaWriter &writer) {
  // By rank, from 2 on.
  constexpr Helper Loads[] = {Helper::TmaLoad2D, Helper::TmaLoad3D, Helper::TmaLoad4D,
                              Helper::TmaLoad5D};
  const BufferRegion &source = op.regions[0];
  writer.line(llvm::formatv("{0}({1}, {2}, {3}, {4});",
                            writer.call(Loads[source.ranges.size() - 2]),
                            writer.address(op.regions[1]), writer.tensorMap(op),
                            writer.address(op.regions[2]), boxCoordinates(source, writer)));
}

} // namespace tilescope
