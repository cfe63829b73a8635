// Folds one axis. Sums are fp32 as on the GPU; max and min lose NaN.
#include "core/exec/block_frame.h"

#include <cmath>

namespace tilescope {

namespace {

double fold(ReduceKind kind, double sum, double value) {
  switch (kind) {
  case ReduceKind::Sum:
    return static_cast<float>(sum + value);
  case ReduceKind::AbsSum:
    return static_cast<float>(sum + std::fabs(value));
  case ReduceKind::Max:
    return std::fmax(sum, value);
  case ReduceKind::AbsMax:
    return std::fmax(sum, std::fabs(value));
  case ReduceKind::Min:
    return std::fmin(sum, value);
  }
  return sum;
}

double neutral(ReduceKind kind) {
  if (kind == ReduceKind::Max)
    return -HUGE_VAL;
  return kind == ReduceKind::Min ? HUGE_VAL : 0;
}

} // namespace

void executeReduce(const OpStmt &op, BlockFrame &frame) {
  TensorRegion src = frame.evaluate(op.regions[0]);
  TensorRegion dst = frame.evaluate(op.regions[1]);
  auto kind = static_cast<ReduceKind>(op.attr(Attr::Kind));
  auto dim = static_cast<size_t>(op.attr(Attr::Dim));
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
    double result = clear ? neutral(kind) : readReal(frame, dst, target);
    llvm::SmallVector<int64_t> place(src.min);
    for (size_t axis = 0; axis < kept.size(); ++axis)
      place[axis] += coordinates[axis];
    for (int64_t k = 0; k < src.extent[dim]; ++k) {
      place[dim] = src.min[dim] + k;
      result = fold(kind, result, readReal(frame, src, src.tensor->indexOf(place)));
    }
    Number value;
    value.f = result;
    frame.write(dst, target, convert(DType{DTypeKind::Float, 64}, dst.tensor->dtype(), value));
  });
}

} // namespace tilescope
