// What a statement does first to a buffer: replace the whole value, or depend on the old one?
//
//     T.copy(A[...], S)          redefines S (zeros stand for what is out of bounds)
//     T.fill(S[0:8], 0)          uses S: the other rows keep their value
//     T.gemm(A, B, C)            uses C; redefines it with clear_accum=True
//     if c: T.fill(S, 0)         uses S: where c is false the old value stays
//
// Tile-level question: the block as one. "Redefines" means on every path, before any read.
#pragma once

#include "core/ir/module.h"

namespace tilescope {

enum class FirstTouch : uint8_t { None, Redefines, Uses };

FirstTouch firstTouch(Context &context, const Stmt &stmt, const Buffer &buffer);

// Whether the box is all of the buffer.
bool coversWhole(llvm::ArrayRef<Range> ranges, const Buffer &buffer);

} // namespace tilescope
