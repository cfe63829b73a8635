// T.tma_copy: a T.tma_load for each box of the tile, as wide as its swizzle.
//
//     T.tma_copy(B[k * 64, 0:128], B_shared[0:64, 0:128], full)
//  =>
//     T.tma_load(B[k * 64, 0:64], B_shared[0:64, 0:64], full)
//     T.tma_load(B[k * 64, 64:128], B_shared[0:64, 64:128], full)
#include "core/analysis/select_tma.h"
#include "passes/lower/lower_context.h"

namespace tilescope {

namespace {

// The axes of a region that are rows and columns of the tile.
struct MatrixAxes {
  size_t row = 0, column = 0;
};

MatrixAxes matrixAxesOf(const BufferRegion &region) {
  MatrixAxes axes{0, region.ranges.size() - 1};
  while (axes.row != axes.column && constantValue(region.ranges[axes.row].extent) == 1)
    ++axes.row;
  return axes;
}

// `rows` by `columns` of a region, from an element on.
BufferRegion boxOf(LowerContext &lower, const BufferRegion &region, int64_t row, int64_t column,
                   const TmaBoxes &box) {
  Builder &builder = lower.builder();
  llvm::SmallVector<Range> ranges(region.ranges);
  auto cut = [&](Range &range, int64_t first, int64_t extent) {
    DType dtype = range.min->dtype();
    range = {builder.add(range.min, builder.integer(first, dtype)), builder.integer(extent, dtype)};
  };
  MatrixAxes axes = matrixAxesOf(region);
  cut(ranges[axes.row], row, box.rows);
  cut(ranges[axes.column], column, box.columns);
  return builder.region(region.buffer, region.slot, ranges, region.span);
}

} // namespace

const Stmt *lowerTmaCopy(LowerContext &lower, const OpStmt &op) {
  const BufferRegion &tile = op.regions[1];
  const Buffer &buffer = lower.buffer(tile.buffer);
  std::string reason = whyNotByTma(lower.context(), lower.function(), lower.pass().target, op);
  if (!reason.empty())
    return lower.fail(tile.buffer, "TMA cannot copy it: " + reason);
  if (!buffer.layout || !buffer.layout->isAligned)
    return lower.fail(tile.buffer, "boxes are copied to aligned swizzles only");
  TmaBoxes box = tmaBoxesOf(buffer);
  llvm::SmallVector<const Stmt *> loads;
  for (int64_t row = 0; row != *constantValue(buffer.shape[0]); row += box.rows)
    for (int64_t column = 0; column != *constantValue(buffer.shape[1]); column += box.columns) {
      const BufferRegion regions[] = {boxOf(lower, op.regions[0], row, column, box),
                                      boxOf(lower, tile, row, column, box), op.regions[2]};
      loads.push_back(lower.builder().op(lower.info(), Op::TmaLoad, regions));
    }
  return lower.seq(loads);
}

} // namespace tilescope
