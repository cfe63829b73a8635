#include "passes/lower/wgmma.h"

#include "core/analysis/select_wgmma.h"

namespace tilescope {

namespace {

// What one warp group multiplies, and where.
class WarpGroupTile {
public:
  WarpGroupTile(LowerContext &lower, const OpStmt &gemm, const WgmmaChoice &choice)
      : lower_(lower), gemm_(gemm), choice_(choice) {
    const Digit row{choice.grid.rows, true, WarpGroupThreads};
    const Digit column{choice.grid.columns, true, WarpGroupThreads * choice.grid.rows};
    firstRow_ = lower.scale(lower.threadNumber(row), choice.rowBlocks() * WgmmaRows);
    firstColumn_ = lower.scale(lower.threadNumber(column), choice.columnBlocks() * choice.columns);
  }

  const Stmt *product(const Expr *step, const Expr *i, const Expr *j) const {
    const Expr *k = lower_.scale(step, choice_.depth);
    const Expr *row = lower_.add(firstRow_, lower_.scale(i, WgmmaRows));
    const Expr *column = lower_.add(firstColumn_, lower_.scale(j, choice_.columns));
    const Expr *tile = lower_.add(lower_.scale(i, choice_.columnBlocks()), j);
    int64_t sums = choice_.columns / 2;
    const BufferRegion operands[] = {
        part(0, choice_.kIsRowOfA, row, WgmmaRows, k),
        part(1, choice_.kIsRowOfB, column, choice_.columns, k),
        lower_.registers(gemm_.regions[2].buffer, lower_.scale(tile, sums), sums)};
    return lower_.builder().op(
        lower_.info(), Op::Wgmma, operands, {},
        {{Attr::TransposeA, choice_.kIsRowOfA}, {Attr::TransposeB, !choice_.kIsRowOfB}});
  }

private:
  BufferRegion part(size_t operand, bool kIsRow, const Expr *first, int64_t extent,
                    const Expr *k) const {
    const BufferRegion &tile = gemm_.regions[operand];
    Range across{first, lower_.index(extent)}, along{k, lower_.index(choice_.depth)};
    const Range ranges[] = {kIsRow ? along : across, kIsRow ? across : along};
    return lower_.builder().region(tile.buffer, tile.slot, ranges, tile.span);
  }

  LowerContext &lower_;
  const OpStmt &gemm_;
  const WgmmaChoice &choice_;
  const Expr *firstRow_ = nullptr;
  const Expr *firstColumn_ = nullptr;
};

} // namespace

const Stmt *lowerToWgmma(LowerContext &lower, const OpStmt &gemm, const Stmt *clear) {
  WgmmaChoice choice = selectWgmma(gemm, lower.function(), lower.pass().target, lower.threads());
  if (!choice.reason.empty())
    return lower.fail(gemm.regions[2].buffer, "no wgmma: " + choice.reason);
  emitRemark(lower.pass().remarks, RemarkId::WgmmaChosen,
             {gemm.id(), gemm.span(), {gemm.regions[2].buffer}}, choice.columns, choice.depth,
             choice.grid.rows, choice.grid.columns, choice.rowBlocks() * WgmmaRows,
             choice.columnBlocks() * choice.columns);
  WarpGroupTile tile(lower, gemm, choice);
  llvm::SmallVector<const Stmt *> stmts;
  if (clear)
    stmts.push_back(clear);
  stmts.push_back(lower.builder().op(lower.info(), Op::WgmmaFence, {}));
  stmts.push_back(lower.unrolledOver("k_step", choice.k / choice.depth, [&](const Expr *step) {
    return lower.unrolledOver("i", choice.rowBlocks(), [&](const Expr *i) {
      return lower.unrolledOver("j", choice.columnBlocks(),
                                [&](const Expr *j) { return tile.product(step, i, j); });
    });
  }));
  stmts.push_back(lower.builder().op(lower.info(), Op::WgmmaCommit, {}));
  stmts.push_back(lower.builder().op(lower.info(), Op::WgmmaWait, {}, {}, {{Attr::Pending, 0}}));
  return lower.seq(stmts);
}

} // namespace tilescope
