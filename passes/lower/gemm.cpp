// T.gemm by mma.sync: each warp has one block of the result and walks along k.
//
//     a_row, a_col = ...           the row of A whose address this lane gives to ldmatrix
//     for k_step in T.unroll(2):
//       for i in T.unroll(4): ldmatrix A: 16 rows, 16 deep
//       for j in T.unroll(4): ldmatrix B: 16 columns, 16 deep
//       for i, j: mma
//
// A tile that is stored with k as its rows is transposed by ldmatrix on the way.
#include "core/analysis/layouts/gemm_shape.h"
#include "passes/lower/lower_context.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr int64_t MatrixRows = 8;

// The mma tiles of one warp.
struct WarpTiles {
  GemmShape shape;
  int64_t rows;
  int64_t columns;
  int64_t depth; // of one mma
  int64_t steps;
  int64_t elementsA; // registers of one tile, in elements
  int64_t elementsB;
};

WarpTiles warpTilesOf(const GemmShape &shape) {
  WarpTiles tiles;
  tiles.shape = shape;
  tiles.rows = shape.m / (MmaRows * shape.grid.rows);
  tiles.columns = shape.n / (MmaColumns * shape.grid.columns);
  tiles.depth = mmaDepth(shape.operandType);
  tiles.steps = shape.k / tiles.depth;
  tiles.elementsA = MmaRows * tiles.depth / WarpThreads;
  tiles.elementsB = MmaColumns * tiles.depth / WarpThreads;
  return tiles;
}

// One operand in shared memory: the address of this lane's row and how it moves with tile and step.
class SharedOperand {
public:
  // `warpOffset`: first row (of A) or column (of B) of this warp.
  SharedOperand(LowerContext &lower, const BufferRegion &region, bool kIsRow,
                const LdmatrixRows &rows, int64_t depth, llvm::StringRef name,
                const Expr *warpOffset)
      : lower_(lower), region_(region), kIsRow_(kIsRow), depth_(depth),
        chunk_(chunkElements(lower.buffer(region.buffer).dtype)) {
    const Range &rowRange = region.ranges[region.ranges.size() - 2];
    const Expr *row = lower.threadNumber(rows.row);
    const Expr *column = lower.scale(lower.threadNumber(rows.chunk), chunk_);
    (kIsRow ? column : row) = lower.add(warpOffset, kIsRow ? column : row);
    row_ = bind((name + "_row").str(), lower.add(rowRange.min, row));
    column_ = bind((name + "_col").str(), lower.add(region.ranges.back().min, column));
  }

  // Bindings that the loads need.
  llvm::ArrayRef<const Stmt *> bindings() const { return bindings_; }

  // Loads `matrices` 8x8 matrices: those of tile rows (or columns) `offset` on, at step `step`.
  const Stmt *load(const Expr *offset, const Expr *step, int64_t matrices, BufferRegion into) {
    const Expr *alongK = lower_.scale(step, depth_);
    const Expr *row = lower_.add(row_, kIsRow_ ? alongK : offset);
    const Expr *column = lower_.add(column_, kIsRow_ ? offset : alongK);
    llvm::SmallVector<Range> ranges(region_.ranges);
    ranges[ranges.size() - 2] = {row, lower_.builder().integer(1, row->dtype())};
    ranges.back() = {column, lower_.builder().integer(chunk_, column->dtype())};
    const BufferRegion operands[] = {
        lower_.builder().region(region_.buffer, region_.slot, ranges, region_.span), into};
    return lower_.builder().op(lower_.info(), Op::Ldmatrix, operands, {},
                               {{Attr::Matrices, matrices}, {Attr::Transposed, kIsRow_}});
  }

private:
  const Expr *bind(llvm::StringRef name, const Expr *value) {
    const Var *var = lower_.builder().var(name, value->dtype());
    bindings_.push_back(lower_.bind(var, value));
    return var;
  }

  LowerContext &lower_;
  const BufferRegion &region_;
  bool kIsRow_;
  int64_t depth_;
  int64_t chunk_;
  const Expr *row_ = nullptr;
  const Expr *column_ = nullptr;
  llvm::SmallVector<const Stmt *> bindings_;
};

const Expr *warpRow(LowerContext &lower, const WarpTiles &tiles) {
  const Digit warp{tiles.shape.grid.rows, true, WarpThreads};
  return lower.scale(lower.threadNumber(warp), tiles.rows * MmaRows);
}

const Expr *warpColumn(LowerContext &lower, const WarpTiles &tiles) {
  const Digit warp{tiles.shape.grid.columns, true, WarpThreads * tiles.shape.grid.rows};
  return lower.scale(lower.threadNumber(warp), tiles.columns * MmaColumns);
}

// B is loaded two tiles at a time where their number is even.
const Stmt *loadB(LowerContext &lower, const WarpTiles &tiles, SharedOperand &operand,
                  const Buffer &registers, const Expr *step) {
  int64_t together = tiles.columns % 2 == 0 ? 2 : 1;
  return lower.unrolledOver("j", tiles.columns / together, [&](const Expr *j) {
    return operand.load(lower.scale(j, MmaColumns * together), step, 2 * together,
                        lower.registers(registers.id, lower.scale(j, tiles.elementsB * together),
                                        tiles.elementsB * together));
  });
}

const Stmt *loadA(LowerContext &lower, const WarpTiles &tiles, SharedOperand &operand,
                  const Buffer &registers, const Expr *step) {
  return lower.unrolledOver("i", tiles.rows, [&](const Expr *i) {
    return operand.load(
        lower.scale(i, MmaRows), step, 4,
        lower.registers(registers.id, lower.scale(i, tiles.elementsA), tiles.elementsA));
  });
}

// All tiles of the warp; `firstA(i)` is the first register of tile i of A.
const Stmt *multiply(LowerContext &lower, const WarpTiles &tiles, BufferId a, BufferId b,
                     BufferId c, llvm::function_ref<const Expr *(const Expr *)> firstA) {
  return lower.unrolledOver("i", tiles.rows, [&](const Expr *i) {
    return lower.unrolledOver("j", tiles.columns, [&](const Expr *j) {
      const Expr *tile = lower.add(lower.scale(i, tiles.columns), j);
      const BufferRegion operands[] = {
          lower.registers(a, firstA(i), tiles.elementsA),
          lower.registers(b, lower.scale(j, tiles.elementsB), tiles.elementsB),
          lower.registers(c, lower.scale(tile, 4), 4)};
      return lower.builder().op(lower.info(), Op::Mma, operands, {}, {{Attr::K, tiles.depth}});
    });
  });
}

LdmatrixRows rowsForB(const WarpTiles &tiles, bool kIsRow) {
  LdmatrixRows rows = ldmatrixRowsB(kIsRow);
  // An odd number of tiles is loaded one by one: lanes 16 to 31 name no rows.
  if (tiles.columns % 2 != 0)
    (kIsRow ? rows.chunk : rows.row).erase((kIsRow ? rows.chunk : rows.row).begin());
  return rows;
}

// Zeros in the accumulator, if the gemm does not add to it.
const Stmt *clearAccumulator(LowerContext &lower, const OpStmt &gemm) {
  const Expr *condition = gemm.args.empty() ? nullptr : gemm.args[0];
  if (!condition || constantValue(condition) == 0)
    return nullptr;
  const Buffer &c = lower.buffer(gemm.regions[2].buffer);
  const Expr *zero = c.dtype.isFloat()
                         ? static_cast<const Expr *>(lower.builder().floating(0, c.dtype))
                         : lower.builder().integer(0, c.dtype);
  const Stmt *fill = lower.unrolledOver("r", c.layout->registerCount(), [&](const Expr *number) {
    return lower.context().make<Store>(lower.info(), c.id, nullptr,
                                       lower.context().copy<const Expr *>({number}), zero);
  });
  if (constantValue(condition))
    return fill;
  return lower.context().make<If>(lower.info(), condition, fill, nullptr);
}

void remarkOnGemm(LowerContext &lower, const OpStmt &gemm, const WarpTiles &tiles) {
  emitRemark(lower.pass().remarks, RemarkId::GemmInstructionChosen,
             {gemm.id(), gemm.span(), {gemm.regions[2].buffer}}, tiles.depth, tiles.shape.grid.rows,
             tiles.shape.grid.columns, tiles.rows * MmaRows, tiles.columns * MmaColumns);
}

} // namespace

const Stmt *lowerGemm(LowerContext &lower, const OpStmt &op) {
  GemmShape shape = gemmShapeOf(op, lower.function(), lower.threads());
  if (!shape.problem.empty())
    return lower.fail(op.regions[2].buffer, shape.problem);
  WarpTiles tiles = warpTilesOf(shape);
  remarkOnGemm(lower, op, tiles);
  const Buffer &a = lower.buffer(op.regions[0].buffer);
  const Buffer &b = lower.buffer(op.regions[1].buffer);
  bool aInRegisters = a.scope == Scope::Fragment;
  bool kIsRowA = op.attr(Attr::TransposeA);
  bool kIsRowB = !op.attr(Attr::TransposeB);

  llvm::SmallVector<const Stmt *> stmts;
  if (const Stmt *clear = clearAccumulator(lower, op))
    stmts.push_back(clear);
  std::optional<SharedOperand> sharedA;
  if (!aInRegisters) {
    sharedA.emplace(lower, op.regions[0], kIsRowA, ldmatrixRowsA(kIsRowA), tiles.depth, "a",
                    warpRow(lower, tiles));
    llvm::append_range(stmts, sharedA->bindings());
  }
  SharedOperand sharedB(lower, op.regions[1], kIsRowB, rowsForB(tiles, kIsRowB), tiles.depth, "b",
                        warpColumn(lower, tiles));
  llvm::append_range(stmts, sharedB.bindings());

  const Buffer &registersA =
      aInRegisters ? a : lower.makeRegisters(a, "regs", tiles.rows * tiles.elementsA);
  const Buffer &registersB = lower.makeRegisters(b, "regs", tiles.columns * tiles.elementsB);
  stmts.push_back(lower.unrolledOver("k_step", tiles.steps, [&](const Expr *step) {
    llvm::SmallVector<const Stmt *> body;
    if (sharedA)
      body.push_back(loadA(lower, tiles, *sharedA, registersA, step));
    body.push_back(loadB(lower, tiles, sharedB, registersB, step));
    auto firstA = [&](const Expr *i) {
      const Expr *tile = aInRegisters ? lower.add(lower.scale(i, tiles.steps), step) : i;
      return lower.scale(tile, tiles.elementsA);
    };
    body.push_back(
        multiply(lower, tiles, registersA.id, registersB.id, op.regions[2].buffer, firstA));
    return lower.seq(body);
  }));
  return lower.seq(stmts);
}

} // namespace tilescope
