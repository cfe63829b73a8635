// Which of our layouts a function of coordinates says, of a tile in shared memory.
//
//     T.annotate_layout({s: T.Layout((64, 64), lambda i, j: i * 72 + j)})             padded(8)
//                           lambda i, j: [i, (j // 8 ^ i % 8) * 8 + j % 8]            swizzle(128)
//                           lambda i, j: [j, i]                                       permuted(64@1
//                           | 64@64)
//
// All places are computed, and compared with those of each layout that may be it.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

struct TileOrder {
  const Layout *layout = nullptr;
  std::string reason; // why there is none
};

// `shape` is what the function was given for; nothing is reported, and what the call of the
// function would report is the reason.
TileOrder tileOrderOf(Evaluation &evaluation, FunctionObject &order, llvm::ArrayRef<int64_t> shape,
                      const Buffer &tile, Span span);

} // namespace tilescope::frontend
