// What integer inputs hold that a kernel takes as indices: random numbers would point anywhere, and
// zeros would send all blocks to one place.
//
//     e = expert[by]                      expert: 0 to E - 1
//     T.copy(W[e, 0, 0], tile)            W: (E, K, N)
//     page = table[by, k] * 64            table: 0 to P / 64 - 1
//     T.copy(pool[page, 0], tile)         pool: (P, D)
//     out[slot[i], j] = tile[i, j]        slot: distinct, so that no two elements meet
//     T.gemm_sparse(A, B, C, e)           e: in each four bits two of four columns, in their order
//
// Values are followed through variables and through tiles that hold copies of the input.
#pragma once

#include "core/exec/block_frame.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tilescope {

struct IndexUse {
  // Values are in [0, count); nothing: the kernel does not show a range (it is a bound of a loop).
  std::optional<int64_t> count;
  bool isWrittenWith = false; // an element that it selects is written, not atomically
  bool isBound = false;       // a loop or a region ends with it
  // Says which elements of the other operand of a sparse product are kept: of this type.
  std::optional<DType> metadataOf;
};

// Nullopt: the elements of `input` are numbers, not indices. `host`: with the scalars bound.
std::optional<IndexUse> indexUseOf(const Function &function, BufferId input, BlockFrame &host);

// Seeded values in range. Where they are written with, distinct: over the whole tensor if the range
// has enough values, else along its last axis as far as they reach. Bounds ascend along the last
// axis: offsets of parts that follow each other.
void fillIndices(Tensor &tensor, const IndexUse &use, uint64_t seed, llvm::StringRef name);

} // namespace tilescope
