#include "core/exec/block_frame.h"

namespace tilescope {

void executeFill(const OpStmt &op, BlockFrame &frame) {
  TensorRegion dst = frame.evaluate(op.regions[0]);
  llvm::SmallVector<size_t> axes = dst.wideAxes();
  llvm::SmallVector<int64_t> extents;
  for (size_t axis : axes)
    extents.push_back(dst.extent[axis]);
  forEachCoordinate(extents, [&](llvm::ArrayRef<int64_t> wide) {
    int64_t place = dst.at(axes, wide);
    if (place < 0)
      return frame.storeOutside(op, dst.buffer, dst.coordinatesAt(axes, wide));
    Number value = frame.evaluate(op.args[0]);
    frame.write(dst, place, convert(op.args[0]->dtype(), dst.tensor->dtype(), value));
  });
}

} // namespace tilescope
