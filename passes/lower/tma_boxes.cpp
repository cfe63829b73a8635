#include "passes/lower/tma_boxes.h"

#include "core/analysis/select_tma.h"
#include "core/ir/matrix_part.h"

namespace tilescope {

namespace {

// The axes of a region that are rows and columns of the matrix that is moved.
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

llvm::SmallVector<TmaBoxMove> boxesOf(LowerContext &lower, const BufferRegion &inTensor,
                                      const BufferRegion &inTile) {
  const Buffer &tile = lower.buffer(inTile.buffer);
  TmaBoxes box = tmaBoxesOf(tile);
  llvm::SmallVector<TmaBoxMove> moves;
  MatrixPart matrix = *matrixPartOf(inTile, tile);
  for (int64_t row = 0; row != matrix.rows; row += box.rows)
    for (int64_t column = 0; column != matrix.columns; column += box.columns)
      moves.push_back(
          {boxOf(lower, inTensor, row, column, box), boxOf(lower, inTile, row, column, box)});
  return moves;
}

} // namespace tilescope
