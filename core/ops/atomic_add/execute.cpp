#include "core/exec/block_frame.h"

namespace tilescope {

// dst += src, element by element; what lies outside a global destination is dropped.
void executeAtomicAdd(const OpStmt &op, BlockFrame &frame) {
  TensorRegion dst = frame.evaluate(op.regions[0]);
  TensorRegion src = frame.evaluate(op.regions[1]);
  llvm::SmallVector<size_t> dstAxes = dst.wideAxes();
  llvm::SmallVector<size_t> srcAxes = src.wideAxes();
  if (srcAxes.size() != dstAxes.size())
    return frame.fail(op, "atomic_add between regions of different rank");
  llvm::SmallVector<int64_t> extents;
  for (size_t axis : srcAxes)
    extents.push_back(src.extent[axis]);
  std::lock_guard<std::mutex> lock(frame.memory().atomics);
  forEachCoordinate(extents, [&](llvm::ArrayRef<int64_t> wide) {
    int64_t target = dst.at(dstAxes, wide);
    int64_t source = src.at(srcAxes, wide);
    if (target < 0)
      return frame.storeOutside(op, dst.buffer, dst.coordinatesAt(dstAxes, wide));
    if (source < 0)
      return;
    Number sum = convert(src.tensor->dtype(), dst.tensor->dtype(), frame.read(src, source));
    frame.reads().use();
    Number old = frame.read(dst, target);
    if (dst.tensor->isFloat())
      sum.f += old.f;
    else
      sum.i += old.i;
    frame.write(dst, target, sum);
  });
}

} // namespace tilescope
