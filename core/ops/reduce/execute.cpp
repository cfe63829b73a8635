// Folds one axis. Sums of floats are fp32 as on the GPU, of double double, those of integers wrap;
// max and min lose NaN.
#include "core/exec/arithmetic.h"
#include "core/exec/block_frame.h"
#include "core/exec/math_functions.h"

#include <cmath>

namespace tilescope {

namespace {

// The type that is folded in, for a result of this type.
DType accumulatorOf(DType result) {
  if (!result.isFloat())
    return result.isUnsigned() ? DType{DTypeKind::UInt, 64} : DType::int64();
  return result.bits == 64 ? result : DType::float32();
}

BinaryOp operatorOf(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::AbsSum:
    return BinaryOp::Add;
  case ReduceKind::Max:
  case ReduceKind::AbsMax:
    return BinaryOp::Max;
  case ReduceKind::Min:
    return BinaryOp::Min;
  }
  return BinaryOp::Add;
}

Number neutralOf(ReduceKind kind, DType dtype) {
  if (kind != ReduceKind::Max && kind != ReduceKind::Min)
    return dtype.isFloat() ? Number{.f = 0} : Number{.i = 0};
  bool isMax = kind == ReduceKind::Max;
  if (dtype.isFloat())
    return Number{.f = isMax ? -HUGE_VAL : HUGE_VAL};
  if (dtype.isUnsigned())
    return Number{.i = isMax ? 0 : -1};
  return Number{.i = isMax ? INT64_MIN : INT64_MAX};
}

} // namespace

void executeReduce(const OpStmt &op, BlockFrame &frame) {
  TensorRegion src = frame.evaluate(op.regions[0]);
  TensorRegion dst = frame.evaluate(op.regions[1]);
  auto kind = static_cast<ReduceKind>(op.attr(Attr::Kind));
  auto dim = static_cast<size_t>(op.attr(Attr::Dim));
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
      if (kind == ReduceKind::AbsSum || kind == ReduceKind::AbsMax)
        value = mathOf(MathFn::Abs, accumulator, accumulator, value);
      result = binaryOf(operatorOf(kind), accumulator, result, value);
    }
    frame.write(dst, target, convert(accumulator, dst.tensor->dtype(), result));
  });
}

} // namespace tilescope
