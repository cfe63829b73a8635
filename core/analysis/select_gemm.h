// How a tile gemm is carried out. The only place that decides it: infer-layouts asks where its
// operands lie, lower-tile-ops for the instructions, both with the same answer: layouts that
// infer-layouts chooses keep the rows that are read here whole (a swizzle moves chunks of 16
// bytes).
#pragma once

#include "core/analysis/mma_layouts.h"
#include "core/ir/module.h"

#include <string>

namespace tilescope {

enum class GemmInstruction : uint8_t {
  None,
  MmaSync, // each warp multiplies tiles of 16 x 8 in its registers, also of an operand kept by
           // halves
};

// Where an instruction finds an operand.
enum class OperandSource : uint8_t {
  Registers, // in a fragment
  Ldmatrix,  // in shared memory, from which ldmatrix loads it
  Elements,  // in shared memory, from which it is loaded one element at a time
};

struct GemmOperand {
  OperandSource source = OperandSource::Registers;
  bool kIsRow = false;      // stored with k as its rows; ldmatrix transposes it on the way
  int64_t tilesAtOnce = 1;  // loaded by one ldmatrix
  int64_t tileElements = 0; // registers of one thread for one tile, in elements
  std::string reason;       // why by elements; else empty
};

struct GemmChoice {
  GemmInstruction instruction = GemmInstruction::None;
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  DType operandType;
  WarpGrid grid;
  int64_t depth = 0;     // of one instruction, along k
  bool isSparse = false; // a has half of the columns
  GemmOperand a;
  GemmOperand b;
  std::string reason; // why there is no instruction; else empty

  // Of one warp, in tiles of one instruction.
  int64_t tileRows() const { return m / (MmaRows * grid.rows); }
  int64_t tileColumns() const { return n / (MmaColumns * grid.columns); }
  int64_t steps() const { return k / depth; }
  // Columns that a has of so many.
  int64_t keptOf(int64_t columns) const { return isSparse ? columns / 2 : columns; }
};

GemmChoice selectGemm(const OpStmt &gemm, const Function &function, int64_t threads);

// c is m x n; k is what a and b share.
struct MatrixExtents {
  const Expr *m = nullptr;
  const Expr *n = nullptr;
  const Expr *k = nullptr;
};
MatrixExtents extentsOfGemm(const OpStmt &gemm);

} // namespace tilescope
