// T.gemm by mma.sync: each warp has one block of the result and walks along k.
//
//     a_row, a_col = ...           the row of A whose address this lane gives to ldmatrix
//     for k_step in T.unroll(2):
//       for i in T.unroll(4): ldmatrix A: 16 rows, 16 deep
//       for j in T.unroll(4): ldmatrix B: 16 columns, 16 deep
//       for i, j: mma
//
// Where the operands of all steps would not find registers beside the fragments, k_step is a loop
// that the compiler unrolls as far as it sees fit: it loads ahead what it may.
//
// A tile that is stored with k as its rows is transposed by ldmatrix on the way. What ldmatrix
// cannot load is loaded one element at a time. Operands in registers are there already. Which of
// these it is, select_gemm decides.
#include "core/analysis/select_gemm.h"
#include "passes/lower/lower_context.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// One operand in shared memory: where this lane reads and how that moves with tile and step.
class SharedOperand {
public:
  // `rows`: the addresses that lanes give to ldmatrix. `warpOffset`: first row (of A) or column (of
  // B) of this warp.
  SharedOperand(LowerContext &lower, const BufferRegion &region, const GemmOperand &operand,
                const LdmatrixRows &rows, llvm::StringRef name, const Expr *warpOffset)
      : lower_(lower), region_(region), operand_(operand), kIsRow_(operand.kIsRow),
        dtype_(lower.buffer(region.buffer).dtype) {
    const Expr *row = nullptr;
    const Expr *column = nullptr;
    if (byElements()) {
      // The place of the lane in an mma tile: four lanes along k, eight across.
      const Digit alongK{4, true, 1};
      const Digit across{8, true, 4};
      (kIsRow_ ? row : column) = lower.scale(lower.threadNumber(alongK), elementsPerWord());
      (kIsRow_ ? column : row) = lower.threadNumber(across);
    } else {
      row = lower.threadNumber(rows.row);
      column = lower.scale(lower.threadNumber(rows.chunk), chunkElements(dtype_));
    }
    (kIsRow_ ? column : row) = lower.add(warpOffset, kIsRow_ ? column : row);
    llvm::StringRef use = byElements() ? "lane" : "ldmatrix";
    const Range &rowRange = region.ranges[region.ranges.size() - 2];
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
    if (byElements())
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

private:
  bool byElements() const { return operand_.source == OperandSource::Elements; }
  int64_t elementsPerWord() const { return wordElements(dtype_); }

  // What ldmatrix would bring: word (chunk, side) of the lane has its elements from
  // `chunk * elements of a chunk` on along k, `side * 8` across.
  const Stmt *loadElements(const Expr *offset, const Expr *step, int64_t matrices, int64_t across,
                           const BufferRegion &into) {
    const Expr *alongK = lower_.add(kIsRow_ ? row_ : column_, lower_.scale(step, mmaDepth(dtype_)));
    const Expr *beside = lower_.add(kIsRow_ ? column_ : row_, offset);
    return lower_.unrolledOver("chunk", matrices / across, [&](const Expr *chunk) {
      return lower_.unrolledOver("side", across, [&](const Expr *side) {
        return lower_.unrolledOver("e", elementsPerWord(), [&](const Expr *element) {
          llvm::SmallVector<const Expr *> indices;
          for (const Range &range : region_.ranges)
            indices.push_back(range.min);
          const Expr *further = lower_.add(lower_.scale(chunk, chunkElements(dtype_)), element);
          const Expr *&kIndex = kIsRow_ ? indices[indices.size() - 2] : indices.back();
          const Expr *&otherIndex = kIsRow_ ? indices.back() : indices[indices.size() - 2];
          kIndex = lower_.add(alongK, further);
          otherIndex = lower_.add(beside, lower_.scale(side, MmaColumns));
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
  const GemmOperand &operand_;
  bool kIsRow_;
  DType dtype_;
  const Expr *row_ = nullptr;
  const Expr *column_ = nullptr;
  llvm::SmallVector<const Stmt *> bindings_;
};

const Expr *warpRow(LowerContext &lower, const GemmChoice &choice) {
  const Digit warp{choice.grid.rows, true, WarpThreads};
  return lower.scale(lower.threadNumber(warp), choice.tileRows() * MmaRows);
}

const Expr *warpColumn(LowerContext &lower, const GemmChoice &choice) {
  const Digit warp{choice.grid.columns, true, WarpThreads * choice.grid.rows};
  return lower.scale(lower.threadNumber(warp), choice.tileColumns() * MmaColumns);
}

const Stmt *loadB(LowerContext &lower, const GemmChoice &choice, SharedOperand &operand,
                  const Buffer &registers, const Expr *step) {
  int64_t together = choice.b.tilesAtOnce;
  int64_t elements = choice.b.tileElements * together;
  return lower.unrolledOver("j", choice.tileColumns() / together, [&](const Expr *j) {
    return operand.load(lower.scale(j, MmaColumns * together), step,
                        mmaChunks(choice.operandType) * together, together,
                        lower.registers(registers.id, lower.scale(j, elements), elements));
  });
}

const Stmt *loadA(LowerContext &lower, const GemmChoice &choice, SharedOperand &operand,
                  const Buffer &registers, const Expr *step) {
  int64_t elements = choice.a.tileElements;
  return lower.unrolledOver("i", choice.tileRows(), [&](const Expr *i) {
    return operand.load(lower.scale(i, MmaRows), step, 2 * mmaChunks(choice.operandType),
                        /*across=*/2,
                        lower.registers(registers.id, lower.scale(i, elements), elements));
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
const Stmt *multiply(LowerContext &lower, const GemmChoice &choice, const OperandRegisters &a,
                     const OperandRegisters &b, BufferId c, const Expr *step) {
  return lower.unrolledOver("i", choice.tileRows(), [&](const Expr *i) {
    return lower.unrolledOver("j", choice.tileColumns(), [&](const Expr *j) {
      const Expr *tile = lower.add(lower.scale(i, choice.tileColumns()), j);
      const BufferRegion operands[] = {a.tile(lower, i, step), b.tile(lower, j, step),
                                       lower.registers(c, lower.scale(tile, 4), 4)};
      return lower.builder().op(lower.info(), Op::Mma, operands, {}, {{Attr::K, choice.depth}});
    });
  });
}

LdmatrixRows rowsForB(const GemmOperand &b) {
  LdmatrixRows rows = ldmatrixRowsB(b.kIsRow);
  // For one tile lanes 16 to 31 name no rows.
  if (b.tilesAtOnce == 1)
    (b.kIsRow ? rows.chunk : rows.row).erase((b.kIsRow ? rows.chunk : rows.row).begin());
  return rows;
}

// More than the 255 that a thread has: operands end with their step, fragments with their last use.
constexpr int64_t MaxUnrolledRegisters = 320;

// Whether operands that are loaded for each step are few enough for all steps at once.
bool fitsUnrolled(LowerContext &lower, const GemmChoice &choice) {
  int64_t perStep = 0;
  if (choice.a.source != OperandSource::Registers)
    perStep += choice.tileRows() * choice.a.tileElements * choice.operandType.bits;
  if (choice.b.source != OperandSource::Registers)
    perStep += choice.tileColumns() * choice.b.tileElements * choice.operandType.bits;
  int64_t bits = choice.steps() * perStep;
  for (const Buffer *buffer : lower.function().buffers)
    if (buffer->scope == Scope::Fragment && buffer->layout)
      bits += buffer->layout->registerCount() * buffer->dtype.bits;
  return bits <= MaxUnrolledRegisters * 32;
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

void remarkOnGemm(LowerContext &lower, const OpStmt &gemm, const GemmChoice &choice) {
  emitRemark(lower.pass().remarks, RemarkId::GemmInstructionChosen,
             {gemm.id(), gemm.span(), {gemm.regions[2].buffer}}, choice.depth, choice.grid.rows,
             choice.grid.columns, choice.tileRows() * MmaRows, choice.tileColumns() * MmaColumns);
  if (choice.operandType.isFloat8() && !lower.pass().target.hasFloat8Mma())
    emitRemark(lower.pass().remarks, RemarkId::GemmWidened,
               {gemm.id(), gemm.span(), {gemm.regions[2].buffer}}, lower.pass().target.name,
               choice.operandType.name());
  const GemmOperand *operands[] = {&choice.a, &choice.b};
  for (auto [operand, region] : llvm::zip(operands, gemm.regions))
    if (operand->source == OperandSource::Elements)
      emitRemark(lower.pass().remarks, RemarkId::AccessNotVectorized,
                 {gemm.id(), gemm.span(), {region.buffer}}, lower.buffer(region.buffer).name,
                 operand->reason);
}

} // namespace

const Stmt *lowerGemm(LowerContext &lower, const OpStmt &op) {
  GemmChoice choice = selectGemm(op, lower.function(), lower.threads());
  if (choice.instruction == GemmInstruction::None)
    return lower.fail(op.regions[2].buffer, choice.reason);
  remarkOnGemm(lower, op, choice);
  const Buffer &a = lower.buffer(op.regions[0].buffer);
  const Buffer &b = lower.buffer(op.regions[1].buffer);

  llvm::SmallVector<const Stmt *> stmts;
  if (const Stmt *clear = clearAccumulator(lower, op))
    stmts.push_back(clear);
  std::optional<SharedOperand> sharedA;
  if (choice.a.source != OperandSource::Registers) {
    sharedA.emplace(lower, op.regions[0], choice.a, ldmatrixRowsA(choice.a.kIsRow), "a",
                    warpRow(lower, choice));
    llvm::append_range(stmts, sharedA->bindings());
  }
  std::optional<SharedOperand> sharedB;
  if (choice.b.source != OperandSource::Registers) {
    sharedB.emplace(lower, op.regions[1], choice.b, rowsForB(choice.b), "b",
                    warpColumn(lower, choice));
    llvm::append_range(stmts, sharedB->bindings());
  }
  auto registersOf = [&](const GemmOperand &operand, const Buffer &buffer, int64_t tiles) {
    bool isThere = operand.source == OperandSource::Registers;
    return OperandRegisters{
        isThere ? buffer : lower.makeRegisters(buffer, "regs", tiles * operand.tileElements),
        operand.tileElements, isThere ? choice.steps() : 1};
  };
  OperandRegisters registersA = registersOf(choice.a, a, choice.tileRows());
  OperandRegisters registersB = registersOf(choice.b, b, choice.tileColumns());
  auto doStep = [&](const Expr *step) {
    llvm::SmallVector<const Stmt *> body;
    if (sharedA)
      body.push_back(loadA(lower, choice, *sharedA, registersA.buffer, step));
    if (sharedB)
      body.push_back(loadB(lower, choice, *sharedB, registersB.buffer, step));
    body.push_back(multiply(lower, choice, registersA, registersB, op.regions[2].buffer, step));
    return lower.seq(body);
  };
  // Registers are indexed by constants.
  bool isUnrolled = !sharedA || !sharedB || fitsUnrolled(lower, choice);
  ForKind kind = isUnrolled ? ForKind::Unrolled : ForKind::Serial;
  stmts.push_back(lower.loopOver("k_step", choice.steps(), kind, doStep));
  return lower.seq(stmts);
}

} // namespace tilescope
