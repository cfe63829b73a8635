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

  // `clear`: when the sums start from zero; null: never.
  const Stmt *product(const Expr *step, const Expr *i, const Expr *j, const Expr *clear) const {
    const Expr *k = lower_.scale(step, choice_.depth);
    const Expr *row = lower_.add(firstRow_, lower_.scale(i, WgmmaRows));
    const Expr *column = lower_.add(firstColumn_, lower_.scale(j, choice_.columns));
    const Expr *tile = lower_.add(lower_.scale(i, choice_.columnBlocks()), j);
    int64_t sums = choice_.columns / 2;
    const BufferRegion operands[] = {
        choice_.isFromRegisters ? held(i, step) : part(0, choice_.kIsRowOfA, row, WgmmaRows, k),
        part(1, choice_.kIsRowOfB, column, choice_.columns, k),
        lower_.registers(gemm_.regions[2].buffer, lower_.scale(tile, sums), sums)};
    return lower_.builder().op(
        lower_.info(), Op::Wgmma, operands, clear,
        {{Attr::TransposeA, choice_.kIsRowOfA}, {Attr::TransposeB, !choice_.kIsRowOfB}});
  }

private:
  // A thread has 64 x 16 of a in registers, one step after the other.
  BufferRegion held(const Expr *i, const Expr *step) const {
    int64_t elements = WgmmaRows * choice_.depth / WarpGroupThreads;
    const Expr *tile = lower_.add(lower_.scale(i, choice_.k / choice_.depth), step);
    return lower_.registers(gemm_.regions[0].buffer, lower_.scale(tile, elements), elements);
  }

  BufferRegion part(size_t operand, bool kIsRow, const Expr *first, int64_t extent,
                    const Expr *k) const {
    const BufferRegion &tile = gemm_.regions[operand];
    llvm::SmallVector<Range> ranges(tile.ranges);
    auto take = [&](Range &axis, const Expr *from, int64_t count) {
      axis = {lower_.add(axis.min, from), lower_.index(count)};
    };
    Range &row = ranges[ranges.size() - 2], &column = ranges.back();
    take(kIsRow ? column : row, first, extent);
    take(kIsRow ? row : column, k, choice_.depth);
    return lower_.builder().region(tile.buffer, tile.slot, ranges, tile.span);
  }

  LowerContext &lower_;
  const OpStmt &gemm_;
  const WgmmaChoice &choice_;
  const Expr *firstRow_ = nullptr;
  const Expr *firstColumn_ = nullptr;
};

} // namespace

// At the first step, if the gemm does not add to its accumulator then. Null: never.
static const Expr *clearsAt(LowerContext &lower, const OpStmt &gemm, const Expr *step) {
  const Expr *condition = gemm.args[0];
  std::optional<int64_t> known = condition ? constantValue(condition) : 0;
  if (known == 0)
    return nullptr;
  Builder &builder = lower.builder();
  const Expr *isFirst = builder.binary(BinaryOp::Equal, step, builder.integer(0, step->dtype()));
  if (constantValue(isFirst))
    return condition;
  return known ? isFirst : builder.logicalAnd(isFirst, condition);
}

static const Stmt *fence(LowerContext &lower, BufferId fragment) {
  int64_t count = lower.buffer(fragment).layout->registerCount();
  return lower.builder().op(lower.info(), Op::WgmmaFence,
                            lower.registers(fragment, lower.index(0), count));
}

const Stmt *lowerToWgmma(LowerContext &lower, const OpStmt &gemm) {
  WgmmaChoice choice = selectWgmma(gemm, lower.function(), lower.pass().target, lower.threads());
  if (!choice.reason.empty())
    return lower.fail(gemm.regions[2].buffer, "no wgmma: " + choice.reason);
  emitRemark(lower.pass().remarks, RemarkId::WgmmaChosen,
             {gemm.id(), gemm.span(), {gemm.regions[2].buffer}}, choice.columns, choice.depth,
             choice.grid.rows, choice.grid.columns, choice.rowBlocks() * WgmmaRows,
             choice.columnBlocks() * choice.columns);
  WarpGroupTile tile(lower, gemm, choice);
  llvm::SmallVector<const Stmt *> stmts;
  auto addFences = [&] {
    for (size_t held = choice.isFromRegisters ? 0 : 2; held <= 2; held += 2)
      stmts.push_back(fence(lower, gemm.regions[held].buffer));
  };
  addFences();
  stmts.push_back(lower.unrolledOver("k_step", choice.k / choice.depth, [&](const Expr *step) {
    const Expr *clear = clearsAt(lower, gemm, step);
    return lower.unrolledOver("i", choice.rowBlocks(), [&](const Expr *i) {
      return lower.unrolledOver("j", choice.columnBlocks(),
                                [&](const Expr *j) { return tile.product(step, i, j, clear); });
    });
  }));
  stmts.push_back(lower.builder().op(lower.info(), Op::WgmmaCommit, {}));
  stmts.push_back(lower.builder().op(lower.info(), Op::WgmmaWait, {}, {}, {{Attr::Pending, 0}}));
  // Else compilers copy sums elsewhere before the wait, as they do where a loop carries them.
  addFences();
  return lower.seq(stmts);
}

} // namespace tilescope
