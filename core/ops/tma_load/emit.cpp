#include "core/codegen/cuda_writer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

// A wide one would come back into the tensor as an int.
static std::string coordinate(const Expr *index, CudaWriter &writer) {
  std::string text = writer.index(index);
  return writer.isWideIndex(index) ? writer.call(Helper::TmaCoordinate) + "(" + text + ")" : text;
}

void emitTmaLoad(const OpStmt &op, CudaWriter &writer) {
  // By rank, from 2 on.
  constexpr Helper Loads[] = {Helper::TmaLoad2D, Helper::TmaLoad3D, Helper::TmaLoad4D,
                              Helper::TmaLoad5D};
  const BufferRegion &source = op.regions[0];
  std::string coordinates;
  for (const Range &range : llvm::reverse(source.ranges))
    coordinates += ", " + coordinate(range.min, writer);
  writer.line(llvm::formatv("{0}({1}, {2}, {3}{4});", writer.call(Loads[source.ranges.size() - 2]),
                            writer.address(op.regions[1]), writer.tensorMap(op),
                            writer.address(op.regions[2]), coordinates));
}

} // namespace tilescope
