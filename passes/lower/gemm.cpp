// T.gemm by mma.sync: each warp has one block of the result and walks along k.
//
//     a_row, a_col = ...           the row of A whose address this lane gives to ldmatrix
//     for k_step in T.unroll(2):
//       for i in T.unroll(4): ldmatrix A: 16 rows, 16 deep
//       for j in T.unroll(4): ldmatrix B: 16 columns, 16 deep
//       for i, j: mma
//
// Where the operands of all steps would not find registers beside the fragments, k_step is a loop
// that the compiler unrolls as far as it sees fit; where not even those of one step would, the
// tiles of one operand are loaded each right before its products. The compiler loads ahead what it
// may.
//
// Of a sparse product A has half of the columns, a step is twice as deep, and words of metadata are
// loaded first in each.
//
// A tile that is stored with k as its rows is transposed by ldmatrix on the way. What ldmatrix
// cannot load is loaded one element at a time. Operands in registers are there already. Which of
// these it is, select_gemm decides.
#include "core/analysis/select_gemm.h"
#include "core/target/register_limit.h"
#include "passes/lower/sparse_metadata.h"
#include "passes/lower/wgmma.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// One operand in shared memory: where this lane reads and how that moves with tile and step.
class SharedOperand {
public:
  // `rows`: the addresses that lanes give to ldmatrix. `warpOffset`: first row (of A) or column (of
  // B) of this warp.
  // `depth`: elements along k that a step takes of it.
  SharedOperand(LowerContext &lower, const BufferRegion &region, const GemmOperand &operand,
                const LdmatrixRows &rows, int64_t depth, llvm::StringRef name,
                const Expr *warpOffset)
      : lower_(lower), region_(region), operand_(operand), kIsRow_(operand.kIsRow),
        dtype_(lower.buffer(region.buffer).dtype), depth_(depth) {
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
    const Expr *alongK = lower_.scale(step, depth_);
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
    const Expr *alongK = lower_.add(kIsRow_ ? row_ : column_, lower_.scale(step, depth_));
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
  int64_t depth_;
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

// What each step along k does: loads of tiles of the operands, and a product for each two.
class GemmStep {
public:
  // `sharedA`, `sharedB`: null where the operand is in registers. `metadata`: null where a is
  // whole.
  GemmStep(LowerContext &lower, const GemmChoice &choice, SharedOperand *sharedA,
           SharedOperand *sharedB, SparseMetadata *metadata, const OperandRegisters &a,
           const OperandRegisters &b, BufferId c)
      : lower_(lower), choice_(choice), sharedA_(sharedA), sharedB_(sharedB), metadata_(metadata),
        a_(a), b_(b), c_(c) {}

  const Stmt *make(const Expr *step, bool isLoadedFirst) const {
    const Stmt *products = isLoadedFirst ? loadedFirst(step) : loadedInTurn(step);
    if (!metadata_)
      return products;
    const Stmt *words = overRows([&](const Expr *i) { return metadata_->load(i, step); });
    return lower_.seq({words, products});
  }

  // That loads of a step take.
  int64_t loadedBits() const {
    return ((sharedA_ ? registersOfA() : 0) + (sharedB_ ? registersOfB() : 0)) *
           choice_.operandType.bits;
  }

private:
  using MakeBody = llvm::function_ref<const Stmt *(const Expr *)>;

  const Stmt *loadedFirst(const Expr *step) const {
    llvm::SmallVector<const Stmt *> body;
    if (sharedA_)
      body.push_back(overRows([&](const Expr *i) { return loadA(i, step); }));
    if (sharedB_)
      body.push_back(overLoadsOfB([&](const Expr *j) { return loadB(j, step); }));
    body.push_back(overRows([&](const Expr *i) { return multiplyRow(i, step); }));
    return lower_.seq(body);
  }

  // Of the operand with more tiles only one need be in registers at a time. One of them is loaded.
  const Stmt *loadedInTurn(const Expr *step) const {
    bool byRows = sharedA_ && (!sharedB_ || registersOfA() >= registersOfB());
    llvm::SmallVector<const Stmt *> body;
    if (byRows && sharedB_)
      body.push_back(overLoadsOfB([&](const Expr *j) { return loadB(j, step); }));
    if (!byRows && sharedA_)
      body.push_back(overRows([&](const Expr *i) { return loadA(i, step); }));
    if (byRows)
      body.push_back(overRows(
          [&](const Expr *i) { return lower_.seq({loadA(i, step), multiplyRow(i, step)}); }));
    else
      body.push_back(overLoadsOfB(
          [&](const Expr *j) { return lower_.seq({loadB(j, step), multiplyColumns(j, step)}); }));
    return lower_.seq(body);
  }

  int64_t registersOfA() const { return choice_.tileRows() * choice_.a.tileElements; }
  int64_t registersOfB() const { return choice_.tileColumns() * choice_.b.tileElements; }

  const Stmt *overRows(MakeBody makeBody) const {
    return lower_.unrolledOver("i", choice_.tileRows(), makeBody);
  }

  const Stmt *overLoadsOfB(MakeBody makeBody) const {
    return lower_.unrolledOver("j", choice_.tileColumns() / choice_.b.tilesAtOnce, makeBody);
  }

  const Stmt *loadA(const Expr *i, const Expr *step) const {
    return sharedA_->load(lower_.scale(i, MmaRows), step, 2 * mmaChunks(choice_.operandType),
                          /*across=*/2, a_.tile(lower_, i, step));
  }

  const Stmt *loadB(const Expr *j, const Expr *step) const {
    int64_t together = choice_.b.tilesAtOnce;
    int64_t elements = choice_.b.tileElements * together;
    int64_t chunks = mmaChunks(choice_.operandType) * (choice_.isSparse ? 2 : 1);
    return sharedB_->load(lower_.scale(j, MmaColumns * together), step, chunks * together, together,
                          lower_.registers(b_.buffer.id, lower_.scale(j, elements), elements));
  }

  const Stmt *multiplyRow(const Expr *i, const Expr *step) const {
    return lower_.unrolledOver("j", choice_.tileColumns(),
                               [&](const Expr *j) { return multiply(i, j, step); });
  }

  // The columns that load `load` of B brings.
  const Stmt *multiplyColumns(const Expr *load, const Expr *step) const {
    int64_t together = choice_.b.tilesAtOnce;
    return lower_.unrolledOver("side", together, [&](const Expr *side) {
      const Expr *j = lower_.add(lower_.scale(load, together), side);
      return overRows([&](const Expr *i) { return multiply(i, j, step); });
    });
  }

  const Stmt *multiply(const Expr *i, const Expr *j, const Expr *step) const {
    const Expr *tile = lower_.add(lower_.scale(i, choice_.tileColumns()), j);
    llvm::SmallVector<BufferRegion, 4> operands = {a_.tile(lower_, i, step),
                                                   b_.tile(lower_, j, step),
                                                   lower_.registers(c_, lower_.scale(tile, 4), 4)};
    if (metadata_) {
      operands.push_back(metadata_->word(i));
      return lower_.builder().op(lower_.info(), Op::MmaSparse, operands, {},
                                 {{Attr::K, choice_.depth}});
    }
    return lower_.builder().op(lower_.info(), Op::Mma, operands, {}, {{Attr::K, choice_.depth}});
  }

  LowerContext &lower_;
  const GemmChoice &choice_;
  SharedOperand *sharedA_;
  SharedOperand *sharedB_;
  SparseMetadata *metadata_;
  const OperandRegisters &a_;
  const OperandRegisters &b_;
  BufferId c_;
};

LdmatrixRows rowsForB(const GemmChoice &choice) {
  const GemmOperand &b = choice.b;
  // One tile, of four chunks.
  if (choice.isSparse)
    return b.kIsRow ? LdmatrixRows{{Digit{WarpThreads, true, 1}}, {}}
                    : LdmatrixRows{{Digit{8, true, 1}}, {Digit{4, true, 8}}};
  LdmatrixRows rows = ldmatrixRowsB(b.kIsRow);
  // For one tile lanes 16 to 31 name no rows.
  if (b.tilesAtOnce == 1)
    (b.kIsRow ? rows.chunk : rows.row).erase((b.kIsRow ? rows.chunk : rows.row).begin());
  return rows;
}

// Of the registers that a thread can have: operands end with their step, fragments with their last
// use.
constexpr int64_t MaxUnrolledPercent = 125;

// Whether what is loaded for so many steps finds registers beside the fragments.
bool fits(LowerContext &lower, const GemmStep &gemmStep, int64_t steps) {
  int64_t bits = steps * gemmStep.loadedBits();
  for (const Buffer *buffer : lower.function().buffers)
    if (buffer->scope == Scope::Fragment && buffer->layout)
      bits += buffer->layout->registerCount() * buffer->dtype.bits;
  int64_t registers = std::min<int64_t>(MaxRegistersPerThread, RegistersPerSm / lower.threads());
  return bits <= registers * MaxUnrolledPercent / 100 * 32;
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
  if (op.opInfo().has(Attr::Unit) &&
      op.attr(Attr::Unit) == static_cast<int64_t>(MatrixUnit::WarpGroup))
    return lowerToWgmma(lower, op);
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
    sharedA.emplace(lower, op.regions[0], choice.a, ldmatrixRowsA(choice.a.kIsRow),
                    choice.keptOf(choice.depth), "a", warpRow(lower, choice));
    llvm::append_range(stmts, sharedA->bindings());
  }
  std::optional<SharedOperand> sharedB;
  if (choice.b.source != OperandSource::Registers) {
    sharedB.emplace(lower, op.regions[1], choice.b, rowsForB(choice), choice.depth, "b",
                    warpColumn(lower, choice));
    llvm::append_range(stmts, sharedB->bindings());
  }
  std::optional<SparseMetadata> metadata;
  if (choice.isSparse) {
    metadata.emplace(lower, op, choice, warpRow(lower, choice));
    llvm::append_range(stmts, metadata->bindings());
  }
  auto registersOf = [&](const GemmOperand &operand, const Buffer &buffer, int64_t tiles) {
    bool isThere = operand.source == OperandSource::Registers;
    return OperandRegisters{
        isThere ? buffer : lower.makeRegisters(buffer, "regs", tiles * operand.tileElements),
        operand.tileElements, isThere ? choice.steps() : 1};
  };
  OperandRegisters registersA = registersOf(choice.a, a, choice.tileRows());
  OperandRegisters registersB = registersOf(choice.b, b, choice.tileColumns());
  GemmStep gemmStep(lower, choice, sharedA ? &*sharedA : nullptr, sharedB ? &*sharedB : nullptr,
                    metadata ? &*metadata : nullptr, registersA, registersB, op.regions[2].buffer);
  bool isUnrolled = !sharedA || !sharedB || // registers are indexed by constants
                    fits(lower, gemmStep, choice.steps());
  bool isLoadedFirst = (!sharedA && !sharedB) || fits(lower, gemmStep, 1);
  ForKind kind = isUnrolled ? ForKind::Unrolled : ForKind::Serial;
  stmts.push_back(lower.loopOver("k_step", choice.steps(), kind, [&](const Expr *step) {
    return gemmStep.make(step, isLoadedFirst);
  }));
  return lower.seq(stmts);
}

} // namespace tilescope
