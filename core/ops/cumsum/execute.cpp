#include "core/exec/block_frame.h"
#include "core/exec/folding.h"

namespace tilescope {

void executeCumsum(const OpStmt &op, BlockFrame &frame) {
  TensorRegion src = frame.evaluate(op.regions[0]);
  TensorRegion dst = frame.evaluate(op.regions[1]);
  auto dim = static_cast<size_t>(op.attr(Attr::Dim));
  llvm::SmallVector<int64_t> lines(src.extent);
  lines[dim] = 1;
  DType dtype = dst.tensor->dtype();
  DType accumulator = accumulatorOf(dtype);
  auto kind = static_cast<ReduceKind>(op.attr(Attr::Kind));
  forEachCoordinate(lines, [&](llvm::ArrayRef<int64_t> coordinates) {
    Number folded = neutralOf(kind, accumulator);
    for (int64_t step = 0; step < src.extent[dim]; ++step) {
      llvm::SmallVector<int64_t> from(src.min);
      llvm::SmallVector<int64_t> to(dst.min);
      int64_t along = op.attr(Attr::Reverse) ? src.extent[dim] - 1 - step : step;
      for (size_t axis = 0; axis < lines.size(); ++axis) {
        from[axis] += axis == dim ? along : coordinates[axis];
        to[axis] += axis == dim ? along : coordinates[axis];
      }
      Number element = frame.read(src, src.tensor->indexOf(from));
      frame.reads().use();
      folded = foldOf(kind, accumulator, folded, convert(dtype, accumulator, element));
      frame.write(dst, dst.tensor->indexOf(to), convert(accumulator, dtype, folded));
    }
  });
}

} // namespace tilescope
