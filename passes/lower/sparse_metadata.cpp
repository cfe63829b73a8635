#include "passes/lower/sparse_metadata.h"

namespace tilescope {

constexpr int64_t WordBits = 32;
constexpr int64_t RowsApart = 8; // of the two rows of a lane

SparseMetadata::SparseMetadata(LowerContext &lower, const OpStmt &gemm, const GemmChoice &choice,
                               const Expr *warpRow)
    : lower_(lower), region_(gemm.regions[3]), dtype_(lower.buffer(region_.buffer).dtype),
      isTransposed_(gemm.attr(Attr::TransposeE)), isOfBytes_(choice.operandType.bits == 8),
      parts_(WordBits / dtype_.bits) {
  const Buffer &buffer = lower.buffer(region_.buffer);
  registers_ = &lower.makeRegisters(buffer, "regs", choice.tileRows() * parts_);
  columnsOfStep_ = (isOfBytes_ ? 2 * WordBits : WordBits) / dtype_.bits;
  const Expr *row = lower.threadNumber(Digit{RowsApart, true, 4});
  const Expr *column = lower.index(0);
  if (isOfBytes_) {
    row = lower.add(row, lower.scale(lower.threadNumber(Digit{2, true, 1}), RowsApart));
    column = lower.scale(lower.threadNumber(Digit{2, true, 2}), parts_);
  } else if (parts_ > 1) {
    column = lower.scale(lower.threadNumber(Digit{2, true, 1}), parts_ / 2);
  }
  size_t rank = region_.ranges.size();
  const Range &rows = region_.ranges[rank - (isTransposed_ ? 1 : 2)];
  const Range &columns = region_.ranges[rank - (isTransposed_ ? 2 : 1)];
  row_ = bind("e_row", lower.add(rows.min, lower.add(warpRow, row)));
  column_ = bind("e_col", lower.add(columns.min, column));
}

const Expr *SparseMetadata::bind(llvm::StringRef name, const Expr *value) {
  if (llvm::isa<Var, IntImm>(value))
    return value;
  const Var *var = lower_.builder().var(name, value->dtype());
  bindings_.push_back(lower_.bind(var, value));
  return var;
}

const Expr *SparseMetadata::element(const Expr *row, const Expr *column) {
  llvm::SmallVector<const Expr *> indices;
  for (const Range &range : region_.ranges)
    indices.push_back(range.min);
  indices[indices.size() - 2] = isTransposed_ ? column : row;
  indices.back() = isTransposed_ ? row : column;
  return lower_.builder().load(lower_.buffer(region_.buffer), region_.slot, indices);
}

// The 16 bits of this lane of a row that has one word a step.
const Expr *SparseMetadata::halfOfRow(const Expr *row, const Expr *column) {
  Builder &ir = lower_.builder();
  const Expr *lane = ir.cast(dtype_, lower_.threadNumber(Digit{2, true, 1}));
  const Expr *shift = ir.binary(BinaryOp::Mul, lane, ir.integer(WordBits / 2, dtype_));
  return ir.binary(BinaryOp::BitAnd, ir.binary(BinaryOp::ShiftRight, element(row, column), shift),
                   ir.integer(0xffff, dtype_));
}

const Stmt *SparseMetadata::load(const Expr *tileRow, const Expr *step) {
  Builder &ir = lower_.builder();
  const Expr *row = lower_.add(row_, lower_.scale(tileRow, MmaRows));
  const Expr *column = lower_.add(column_, lower_.scale(step, columnsOfStep_));
  auto store = [&](int64_t part, const Expr *value) {
    const Expr *place = lower_.add(lower_.scale(tileRow, parts_), lower_.index(part));
    return lower_.context().make<Store>(lower_.info(), registers_->id, nullptr,
                                        lower_.context().copy<const Expr *>({place}), value);
  };
  if (parts_ == 1 && !isOfBytes_) {
    const Expr *below = halfOfRow(lower_.add(row, lower_.index(RowsApart)), column);
    const Expr *high = ir.binary(BinaryOp::ShiftLeft, below, ir.integer(WordBits / 2, dtype_));
    return store(0, ir.binary(BinaryOp::BitOr, halfOfRow(row, column), high));
  }
  int64_t inRow = isOfBytes_ ? parts_ : parts_ / 2;
  llvm::SmallVector<const Stmt *> stores;
  for (int64_t part = 0; part != parts_; ++part)
    stores.push_back(store(part, element(lower_.add(row, lower_.index(part / inRow * RowsApart)),
                                         lower_.add(column, lower_.index(part % inRow)))));
  return lower_.seq(stores);
}

BufferRegion SparseMetadata::word(const Expr *tileRow) const {
  return lower_.registers(registers_->id, lower_.scale(tileRow, parts_), parts_);
}

} // namespace tilescope
