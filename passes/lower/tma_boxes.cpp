#include "passes/lower/tma_boxes.h"

#include "core/analysis/select_tma.h"
#include "core/ir/matrix_part.h"

namespace tilescope {

namespace {

// The axes of a region that are rows and columns of the matrix that is moved; of one row the same.
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
  MatrixPart matrix =
      tile.shape.size() == 1 ? *wholeRowOf(inTile, tile) : *matrixPartOf(inTile, tile);
  for (int64_t row = 0; row != matrix.rows; row += box.rows)
    for (int64_t column = 0; column != matrix.columns; column += box.columns)
      moves.push_back(
          {boxOf(lower, inTensor, row, column, box), boxOf(lower, inTile, row, column, box)});
  return moves;
}

const Stmt *storeBoxes(LowerContext &lower, const OpStmt &op, const TmaBoxMove &whole,
                       const BoxOperation &operation, llvm::StringRef reason) {
  const Buffer &tile = lower.buffer(whole.inTile.buffer);
  const Buffer &tensor = lower.buffer(whole.inTensor.buffer);
  if (!reason.empty())
    return lower.fail(tile.id, ("TMA cannot store it: " + reason).str());
  if (!tile.layout || !tile.layout->isAligned)
    return lower.fail(tile.id, "boxes are copied from aligned swizzles only");
  Builder &builder = lower.builder();
  llvm::SmallVector<const Stmt *> stmts;
  for (const TmaBoxMove &move : boxesOf(lower, whole.inTensor, whole.inTile))
    stmts.push_back(
        builder.op(lower.info(), operation.op, {move.inTile, move.inTensor}, {}, operation.attrs));
  stmts.push_back(builder.op(lower.info(), Op::TmaStoreCommit, {}));
  stmts.push_back(builder.op(lower.info(), Op::TmaStoreWait, {}, {}, {{Attr::Pending, 0}}));
  emitRemark(lower.pass().remarks, RemarkId::StoreByTma, {op.id(), op.span(), {tile.id, tensor.id}},
             tile.name, tensor.name);
  return lower.seq(stmts);
}

} // namespace tilescope
