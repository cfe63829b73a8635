// How wide one access to memory may be, through the layout of the buffer.
//
//     A_shared[row, 8 * c + v]   v in [0, 8)      8 elements: adjacent and aligned to 16 bytes
//     A[i, 2 * j + v]            v in [0, 8)      2 elements: only even columns are known to start
//     A[v, j]                                     1 element: rows are not adjacent
#pragma once

#include "core/analysis/divisor.h"
#include "core/ir/module.h"

#include <optional>
#include <string>

namespace tilescope {

inline constexpr int64_t WidestAccessBytes = 16;

// What one step of `var` adds to an index: 0 if it does not occur, nullopt if not a constant.
std::optional<int64_t> strideOf(const Expr *index, const Var *var);

// Elements that the stride of a dimension of a buffer in memory is known to be a multiple of
// (symbolic shapes and explicit strides included); at least 1.
int64_t pitchDivisor(const Buffer &buffer, size_t dim);

// Largest power of two, at most `limit`, such that the accesses for var = 0 .. n - 1 are adjacent
// elements and an aligned access of at most 16 bytes; var counts from 0. 1 if there is none.
// Not for fragments.
int64_t contiguousElements(Context &context, const Buffer &buffer, ExprList indices, const Var *var,
                           int64_t limit, const BoundValues &bound = BoundValues());

// Bytes of adjacent elements; of parts of a byte the whole ones.
inline int64_t bytesOf(const Buffer &buffer, int64_t elements) {
  return elements * buffer.dtype.bits / 8;
}

// What limits the width of one access to rows of a buffer in memory.
struct WidthLimit {
  int64_t bytes = WidestAccessBytes;
  std::string reason = "aligned rows";

  // `divisorBytes`: 0 is no limit.
  void atMost(int64_t divisorBytes, llvm::StringRef what);
};
// By where the rows of the region begin.
void limitByStarts(const Buffer &buffer, const BufferRegion &region, const BoundValues &bound,
                   WidthLimit &limit);
// By the elements that the layout keeps side by side.
void limitByLayout(const Buffer &buffer, WidthLimit &limit);

} // namespace tilescope
