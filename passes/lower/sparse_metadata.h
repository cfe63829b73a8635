// The words that say which columns of the first operand of a sparse product are kept, in the lanes
// that mma.sp asks (PTX ISA, "Sparse matrix storage"). A step of the product has so many columns
// that a row of them has 32 bits, of elements of 8 bits 64:
//
//   of 8 bits     lane 4 * g + t has row g + 8 * (t % 2), bits from 32 * (t / 2) on
//   of 16 and 32  lane 4 * g + t (t: 0, 1) has rows g and g + 8, 16 bits from 16 * t on of each
#pragma once

#include "core/analysis/select_gemm.h"
#include "passes/lower/lower_context.h"

namespace tilescope {

class SparseMetadata {
public:
  // `warpRow`: the first row of this warp.
  SparseMetadata(LowerContext &lower, const OpStmt &gemm, const GemmChoice &choice,
                 const Expr *warpRow);

  llvm::ArrayRef<const Stmt *> bindings() const { return bindings_; }
  // Loads the word for a row of tiles at a step.
  const Stmt *load(const Expr *tileRow, const Expr *step);
  // The registers that it is in.
  BufferRegion word(const Expr *tileRow) const;

private:
  const Expr *bind(llvm::StringRef name, const Expr *value);
  const Expr *element(const Expr *row, const Expr *column);
  const Expr *halfOfRow(const Expr *row, const Expr *column);

  LowerContext &lower_;
  const BufferRegion &region_;
  DType dtype_;
  bool isTransposed_;
  bool isOfBytes_; // the product's operands
  int64_t parts_;  // elements of a word
  const Buffer *registers_ = nullptr;
  const Expr *row_ = nullptr;
  const Expr *column_ = nullptr; // of this lane, in elements of the metadata
  int64_t columnsOfStep_ = 0;
  llvm::SmallVector<const Stmt *> bindings_;
};

} // namespace tilescope
