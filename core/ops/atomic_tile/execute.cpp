#include "core/exec/arithmetic.h"
#include "core/exec/block_frame.h"
#include "core/ir/atomic_attrs.h"

namespace tilescope {

// Element by element; what lies outside a global destination is dropped.
void executeAtomicTile(const OpStmt &op, BlockFrame &frame) {
  TensorRegion dst = frame.evaluate(op.regions[0]);
  TensorRegion src = frame.evaluate(op.regions[1]);
  llvm::SmallVector<size_t> dstAxes = dst.wideAxes();
  llvm::SmallVector<size_t> srcAxes = src.wideAxes();
  if (srcAxes.size() != dstAxes.size())
    return frame.fail(op, "atomic_tile between regions of different rank");
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
    DType dtype = dst.tensor->dtype();
    Number value = convert(src.tensor->dtype(), dtype, frame.read(src, source));
    frame.reads().use();
    Number old = frame.read(dst, target);
    frame.write(dst, target, atomicOf(atomicKindOf(op.attr(Attr::Kind)), dtype, old, value));
  });
}

} // namespace tilescope
