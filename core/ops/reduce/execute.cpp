// Folds one axis.
#include "core/exec/block_frame.h"
#include "core/exec/folding.h"

namespace tilescope {

void executeReduce(const OpStmt &op, BlockFrame &frame) {
  TensorRegion src = frame.evaluate(op.regions[0]);
  TensorRegion dst = frame.evaluate(op.regions[1]);
  auto kind = static_cast<ReduceKind>(op.attr(Attr::Kind));
  auto dim = static_cast<size_t>(op.attr(Attr::Dim));
  bool nanWins = op.attr(Attr::NanWins) != 0;
  DType accumulator = accumulatorOf(dst.tensor->dtype());
  llvm::SmallVector<int64_t> kept(src.extent);
  kept[dim] = 1;
  llvm::SmallVector<size_t> dstAxes = dst.wideAxes();
  forEachCoordinate(kept, [&](llvm::ArrayRef<int64_t> coordinates) {
    llvm::SmallVector<int64_t> wide;
    for (size_t axis = 0; axis < kept.size(); ++axis)
      if (kept[axis] != 1)
        wide.push_back(coordinates[axis]);
    if (wide.size() != dstAxes.size())
      return frame.fail(op, "reduce into a region of another rank");
    int64_t target = dst.at(dstAxes, wide);
    bool clear = op.attr(Attr::Clear) != 0;
    Number result = clear ? neutralOf(kind, accumulator)
                          : convert(dst.tensor->dtype(), accumulator, frame.read(dst, target));
    llvm::SmallVector<int64_t> place(src.min);
    for (size_t axis = 0; axis < kept.size(); ++axis)
      place[axis] += coordinates[axis];
    for (int64_t k = 0; k < src.extent[dim]; ++k) {
      place[dim] = src.min[dim] + k;
      Number value = frame.read(src, src.tensor->indexOf(place));
      value = convert(src.tensor->dtype(), accumulator, value);
      result = foldOf(kind, accumulator, result, value, nanWins);
    }
    frame.write(dst, target, convert(accumulator, dst.tensor->dtype(), result));
  });
}

} // namespace tilescope
