// How tensor-core instructions spread a tile over warps, lanes and registers: mma.sync m16n8k* with
// operands loaded by ldmatrix (PTX ISA, "Matrix Fragments for mma.m16n8k16", "ldmatrix").
#pragma once

#include "core/analysis/fragment_digits.h"
#include "core/ir/op.h"
#include "core/support/dtype.h"

#include <optional>

namespace tilescope {

inline constexpr int64_t WarpThreads = 32;
inline constexpr int64_t MmaRows = 16;
inline constexpr int64_t MmaColumns = 8;

// Warps of a block over a tile: along its rows and along its columns. Warp w has the row block
// w % rows and the column block w / rows.
struct WarpGrid {
  int64_t rows = 1;
  int64_t columns = 1;
};

// The grid of a gemm of m x n by `warps` warps. FullRow puts as many warps as fit along the rows,
// FullCol along the columns, Square makes a warp's tile most like the whole. Nothing if no grid
// gives each warp whole 16 x 8 tiles.
std::optional<WarpGrid> partitionWarps(int64_t m, int64_t n, int64_t warps, WarpPolicy policy);

// A lane holds elements of an operand word by word: those that 32 bits hold, or one wider element.
// A chunk is a word of each of the four lanes along K, a 16-byte row of ldmatrix if the elements
// have no more than 32 bits. One mma takes two chunks, of wider elements one.
inline int64_t wordElements(DType dtype) { return dtype.bits > 32 ? 1 : 32 / dtype.bits; }
inline int64_t chunkElements(DType dtype) { return 4 * wordElements(dtype); }
inline int64_t mmaChunks(DType dtype) { return dtype.bits > 32 ? 1 : 2; }
inline int64_t mmaDepth(DType dtype) { return mmaChunks(dtype) * chunkElements(dtype); }

// Whether every target has an mma.sync for these types (float32 is taken as tfloat32), or, for fp8,
// another that computes the same.
bool hasMma(DType a, DType b, DType accumulator);

// Fragments of a whole tile for all warps of the grid.
const Layout *mmaAccumulator(Context &context, int64_t m, int64_t n, WarpGrid grid);
// `kIsRow`: the tile has k as its rows.
const Layout *mmaOperandA(Context &context, int64_t m, int64_t k, DType dtype, WarpGrid grid,
                          bool kIsRow = false);
const Layout *mmaOperandB(Context &context, int64_t n, int64_t k, DType dtype, WarpGrid grid,
                          bool kIsRow);

// The row whose address a lane gives to ldmatrix, as digits of the lane number, for the matrices of
// one A tile (16 rows, two chunks) or of two neighbouring B tiles (16 columns, two chunks).
//   `row`   number of the stored row within the tile
//   `chunk` number of the 16-byte chunk within the row
struct LdmatrixRows {
  DigitList row;
  DigitList chunk;
};
// `transposed`: K is the row index in memory (A[K][M], B[K][N]): ldmatrix.trans.
LdmatrixRows ldmatrixRowsA(bool transposed);
LdmatrixRows ldmatrixRowsB(bool transposed);

// The widest swizzle whose span divides a row, else rows as they are.
const Layout *swizzleForRow(Context &context, int64_t rowBytes);

} // namespace tilescope
