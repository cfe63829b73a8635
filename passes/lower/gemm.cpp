// T.gemm by mma.sync: each warp has one block of the result and walks along k.
//
//     a_row, a_col = ...           the row of A whose address this lane gives to ldmatrix
//     for k_step in T.unroll(2):
//       for i in T.unroll(4): ldmatrix A: 16 rows, 16 deep
//       for j in T.unroll(4): ldmatrix B: 16 columns, 16 deep
//       for i, j: mma
//
// A tile that is stored with k as its rows is transposed by ldmatrix on the way. ldmatrix
// transposes 16-bit elements only: others are then loaded one by one. Operands in registers are
// there already.
#include "core/analysis/layouts/gemm_shape.h"
#include "passes/lower/lower_context.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

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

// One operand in shared memory: where this lane reads and how that moves with tile and step.
class SharedOperand {
public:
  // `rows`: the addresses that lanes give to ldmatrix. `warpOffset`: first row (of A) or column (of
  // B) of this warp.
  SharedOperand(LowerContext &lower, const BufferRegion &region, bool kIsRow, LdmatrixRows rows,
                llvm::StringRef name, const Expr *warpOffset)
      : lower_(lower), region_(region), kIsRow_(kIsRow), dtype_(lower.buffer(region.buffer).dtype),
        byElements_(kIsRow && dtype_.bits != 16) {
    const Range &rowRange = region.ranges[region.ranges.size() - 2];
    int64_t unit = chunkElements(dtype_);
    if (byElements_) {
      // The place of the lane in an mma tile: four lanes along k, eight across.
      rows = {{{4, true, 1}}, {{8, true, 4}}};
      unit = 1;
    }
    const Expr *row = lower.threadNumber(rows.row);
    if (byElements_)
      row = lower.scale(row, elementsPerWord());
    const Expr *column = lower.scale(lower.threadNumber(rows.chunk), unit);
    (kIsRow ? column : row) = lower.add(warpOffset, kIsRow ? column : row);
    llvm::StringRef use = byElements_ ? "lane" : "ldmatrix";
    row_ =
        bind((name + "_row").str(), rowRange.min, lower.laneCoordinate((use + "_row").str(), row));
    column_ = bind((name + "_col").str(), region.ranges.back().min,
                   lower.laneCoordinate((use + "_col").str(), column));
  }

  // Bindings that the loads need.
  llvm::ArrayRef<const Stmt *> bindings() const { return bindings_; }

  // Loads `matrices` 8x8 matrices (of 32-bit words): those of tile rows (or columns) `offset` on,
  // at step `step`. `across`: how many of them lie side by side across k.
  const Stmt *load(const Expr *offset, const Expr *step, int64_t matrices, int64_t across,
                   BufferRegion into) {
    if (byElements_)
      return loadElements(offset, step, matrices, across, into);
    const Expr *alongK = lower_.scale(step, mmaDepth(dtype_));
    const Expr *row = lower_.add(row_, kIsRow_ ? alongK : offset);
    const Expr *column = lower_.add(column_, kIsRow_ ? offset : alongK);
    llvm::SmallVector<Range> ranges(region_.ranges);
    ranges[ranges.size() - 2] = {row, lower_.builder().integer(1, row->dtype())};
    ranges.back() = {column, lower_.builder().integer(chunkElements(dtype_), column->dtype())};
    const BufferRegion operands[] = {
        lower_.builder().region(region_.buffer, region_.slot, ranges, region_.span), into};
    return lower_.builder().op(lower_.info(), Op::Ldmatrix, operands, {},
                               {{Attr::Matrices, matrices}, {Attr::Transposed, kIsRow_}});
  }

  bool loadsElements() const { return byElements_; }

private:
  int64_t elementsPerWord() const { return 32 / dtype_.bits; }

  // What ldmatrix would bring: word (chunk, side) of the lane has its elements from row
  // `chunk * elements of a chunk` on, in column `side * 8`.
  const Stmt *loadElements(const Expr *offset, const Expr *step, int64_t matrices, int64_t across,
                           const BufferRegion &into) {
    const Expr *first = lower_.add(row_, lower_.scale(step, mmaDepth(dtype_)));
    const Expr *column = lower_.add(column_, offset);
    return lower_.unrolledOver("chunk", matrices / across, [&](const Expr *chunk) {
      return lower_.unrolledOver("side", across, [&](const Expr *side) {
        return lower_.unrolledOver("e", elementsPerWord(), [&](const Expr *element) {
          llvm::SmallVector<const Expr *> indices;
          for (const Range &range : region_.ranges)
            indices.push_back(range.min);
          const Expr *down = lower_.add(lower_.scale(chunk, chunkElements(dtype_)), element);
          indices[indices.size() - 2] = lower_.add(first, down);
          indices.back() = lower_.add(column, lower_.scale(side, MmaColumns));
          const Expr *word = lower_.add(lower_.scale(chunk, across), side);
          const Expr *place = lower_.add(
              into.ranges[0].min, lower_.add(lower_.scale(word, elementsPerWord()), element));
          return lower_.context().make<Store>(
              lower_.info(), into.buffer, nullptr, lower_.context().copy<const Expr *>({place}),
              lower_.builder().load(lower_.buffer(region_.buffer), region_.slot, indices));
        });
      });
    });
  }

  const Expr *bind(llvm::StringRef name, const Expr *begin, const Expr *lane) {
    const Expr *value = lower_.add(begin, lane);
    if (value == lane)
      return lane;
    const Var *var = lower_.builder().var(name, value->dtype());
    bindings_.push_back(lower_.bind(var, value));
    return var;
  }

  LowerContext &lower_;
  const BufferRegion &region_;
  bool kIsRow_;
  DType dtype_;
  bool byElements_;
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

// ldmatrix loads two tiles of B at a time where their number is even.
const Stmt *loadB(LowerContext &lower, const WarpTiles &tiles, SharedOperand &operand,
                  const Buffer &registers, const Expr *step) {
  int64_t together = tiles.columns % 2 == 0 && !operand.loadsElements() ? 2 : 1;
  return lower.unrolledOver("j", tiles.columns / together, [&](const Expr *j) {
    return operand.load(lower.scale(j, MmaColumns * together), step, 2 * together, together,
                        lower.registers(registers.id, lower.scale(j, tiles.elementsB * together),
                                        tiles.elementsB * together));
  });
}

const Stmt *loadA(LowerContext &lower, const WarpTiles &tiles, SharedOperand &operand,
                  const Buffer &registers, const Expr *step) {
  return lower.unrolledOver("i", tiles.rows, [&](const Expr *i) {
    return operand.load(
        lower.scale(i, MmaRows), step, 4, /*across=*/2,
        lower.registers(registers.id, lower.scale(i, tiles.elementsA), tiles.elementsA));
  });
}

// The first register of the tile in a row (of A) or column (of B) of tiles, at step `step`. What
// was loaded for the step has one tile after the other; an operand in registers has all steps of a
// tile.
struct OperandRegisters {
  const Buffer &buffer;
  int64_t elements; // of a tile
  int64_t steps;    // 1: loaded for the step

  BufferRegion tile(LowerContext &lower, const Expr *number, const Expr *step) const {
    const Expr *index = steps == 1 ? number : lower.add(lower.scale(number, steps), step);
    return lower.registers(buffer.id, lower.scale(index, elements), elements);
  }
};

// All tiles of the warp.
const Stmt *multiply(LowerContext &lower, const WarpTiles &tiles, const OperandRegisters &a,
                     const OperandRegisters &b, BufferId c, const Expr *step) {
  return lower.unrolledOver("i", tiles.rows, [&](const Expr *i) {
    return lower.unrolledOver("j", tiles.columns, [&](const Expr *j) {
      const Expr *tile = lower.add(lower.scale(i, tiles.columns), j);
      const BufferRegion operands[] = {a.tile(lower, i, step), b.tile(lower, j, step),
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
  bool kIsRowA = op.attr(Attr::TransposeA);
  bool kIsRowB = !op.attr(Attr::TransposeB);

  llvm::SmallVector<const Stmt *> stmts;
  if (const Stmt *clear = clearAccumulator(lower, op))
    stmts.push_back(clear);
  std::optional<SharedOperand> sharedA;
  if (a.scope != Scope::Fragment) {
    sharedA.emplace(lower, op.regions[0], kIsRowA, ldmatrixRowsA(kIsRowA), "a",
                    warpRow(lower, tiles));
    llvm::append_range(stmts, sharedA->bindings());
  }
  std::optional<SharedOperand> sharedB;
  if (b.scope != Scope::Fragment) {
    sharedB.emplace(lower, op.regions[1], kIsRowB, rowsForB(tiles, kIsRowB), "b",
                    warpColumn(lower, tiles));
    llvm::append_range(stmts, sharedB->bindings());
  }
  OperandRegisters registersA{sharedA ? lower.makeRegisters(a, "regs", tiles.rows * tiles.elementsA)
                                      : a,
                              tiles.elementsA, sharedA ? 1 : tiles.steps};
  OperandRegisters registersB{
      sharedB ? lower.makeRegisters(b, "regs", tiles.columns * tiles.elementsB) : b,
      tiles.elementsB, sharedB ? 1 : tiles.steps};
  stmts.push_back(lower.unrolledOver("k_step", tiles.steps, [&](const Expr *step) {
    llvm::SmallVector<const Stmt *> body;
    if (sharedA)
      body.push_back(loadA(lower, tiles, *sharedA, registersA.buffer, step));
    if (sharedB)
      body.push_back(loadB(lower, tiles, *sharedB, registersB.buffer, step));
    body.push_back(multiply(lower, tiles, registersA, registersB, op.regions[2].buffer, step));
    return lower.seq(body);
  }));
  return lower.seq(stmts);
}

} // namespace tilescope
