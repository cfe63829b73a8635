#include "core/codegen/cuda_writer.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

void emitTmaLoad(const OpStmt &op, CudaWriter &writer) {
  // By rank, from 2 on.
  constexpr Helper Loads[] = {Helper::TmaLoad2D, Helper::TmaLoad3D, Helper::TmaLoad4D,
                              Helper::TmaLoad5D};
  constexpr Helper Multicasts[] = {Helper::TmaMulticast2D, Helper::TmaMulticast3D,
                                   Helper::TmaMulticast4D, Helper::TmaMulticast5D};
  const BufferRegion &source = op.regions[0];
  const int64_t mask = op.attr(Attr::ClusterMask);
  std::string load = writer.call((mask == 0 ? Loads : Multicasts)[source.ranges.size() - 2]);
  if (mask != 0)
    load += llvm::formatv("<{0}>", mask);
  writer.line(llvm::formatv("{0}({1}, {2}, {3}, {4});", load, writer.address(op.regions[1]),
                            writer.tensorMap(op), writer.address(op.regions[2]),
                            boxCoordinates(source, writer)));
}

} // namespace tilescope
