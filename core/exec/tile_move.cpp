#include "core/exec/tile_move.h"

namespace tilescope {

void moveTile(const OpStmt &op, BlockFrame &frame,
              llvm::function_ref<void(const TensorRegion &, int64_t, Number)> put) {
  TensorRegion src = frame.evaluate(op.regions[0]);
  TensorRegion dst = frame.evaluate(op.regions[1]);
  llvm::SmallVector<size_t> srcAxes = src.wideAxes();
  llvm::SmallVector<size_t> dstAxes = dst.wideAxes();
  if (srcAxes.size() != dstAxes.size())
    return frame.fail(op, "copy between regions of different rank");
  // The side in registers or shared memory has the shape; the other one follows it.
  const TensorRegion &shape = src.isGlobal ? dst : src;
  llvm::SmallVector<int64_t> extents;
  for (size_t axis : src.isGlobal ? dstAxes : srcAxes)
    extents.push_back(shape.extent[axis]);
  DType from = src.tensor->dtype();
  DType to = dst.tensor->dtype();
  forEachCoordinate(extents, [&](llvm::ArrayRef<int64_t> wide) {
    int64_t target = dst.at(dstAxes, wide);
    if (target < 0)
      return frame.storeOutside(op, dst.buffer, dst.coordinatesAt(dstAxes, wide));
    int64_t source = src.at(srcAxes, wide);
    Number value;
    value.i = 0;
    if (source >= 0)
      value = frame.read(src, source);
    else if (from.isFloat())
      value.f = 0;
    put(dst, target, from != to ? convert(from, to, value) : value);
  });
}

} // namespace tilescope
