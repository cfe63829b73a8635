// Sums of floats are fp32 as on the GPU, of double double.
#include "core/exec/block_frame.h"

namespace tilescope {

void executeCumsum(const OpStmt &op, BlockFrame &frame) {
  TensorRegion src = frame.evaluate(op.regions[0]);
  TensorRegion dst = frame.evaluate(op.regions[1]);
  auto dim = static_cast<size_t>(op.attr(Attr::Dim));
  llvm::SmallVector<int64_t> lines(src.extent);
  lines[dim] = 1;
  DType dtype = dst.tensor->dtype();
  forEachCoordinate(lines, [&](llvm::ArrayRef<int64_t> coordinates) {
    Number sum;
    sum.i = 0;
    if (dtype.isFloat())
      sum.f = 0;
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
      if (dtype.isFloat())
        sum.f = dtype.bits == 64 ? sum.f + element.f : static_cast<float>(sum.f + element.f);
      else
        sum.i += element.i;
      DType wide = dtype.isFloat() ? DType{DTypeKind::Float, 64} : DType::int64();
      frame.write(dst, dst.tensor->indexOf(to), convert(wide, dtype, sum));
    }
  });
}

} // namespace tilescope
