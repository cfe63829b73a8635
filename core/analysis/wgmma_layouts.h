// How wgmma spreads an accumulator over warp groups, lanes and registers (PTX ISA, "Asynchronous
// warpgroup-level matrix: register fragments for wgmma.mma_async.m64nNk16").
#pragma once

#include "core/ir/layout.h"
#include "core/support/dtype.h"

namespace tilescope {

inline constexpr int64_t WgmmaRows = 64;
inline constexpr int64_t WgmmaMaxColumns = 256;
inline constexpr int64_t WgmmaColumnUnit = 8;
inline constexpr int64_t WgmmaIntegerColumnUnit = 16; // it has 8 and 24, too
inline constexpr int64_t WgmmaDepthBytes = 32;        // along K, of one row

// Warp groups of a block over a tile: group w has the row block w % rows and the column block
// w / rows.
struct WarpGroupGrid {
  int64_t rows = 1;
  int64_t columns = 1;
};

// The columns of one instruction for a warp group that has so many: the most, up to 256, that
// divide them and are a multiple of `unit`, itself one of 8. Nothing if none are.
std::optional<int64_t> wgmmaColumns(int64_t columns, int64_t unit);

// Whether sm_90a has a wgmma of these types. In shared memory operands of 16 bits lie either way,
// those of 8 bits along K.
bool hasWgmma(DType a, DType b, DType accumulator);

// The accumulator of m x n for all warp groups, each of which has whole rows of 64 and columns of
// 8. The registers of a thread are those of its instructions, one after the other along N, then
// along M.
const Layout *wgmmaAccumulator(Context &context, int64_t m, int64_t n, WarpGroupGrid grid);

// An operand a of m x k in registers, of 16 or 8 bits. Of 16 bits it lies as the accumulator of a
// product does, so that one becomes the other where it is. Warp groups that share rows have the
// same.
const Layout *wgmmaOperandA(Context &context, int64_t m, int64_t k, int64_t bits,
                            WarpGroupGrid grid);

} // namespace tilescope
