// How a reduction is spread over threads, and what that makes of its result.
#pragma once

#include "core/analysis/fragment_digits.h"

namespace tilescope {

// The thread digits of a reduced dimension, split at the warp: threads whose number differs by less
// than a warp exchange by shuffles, others through shared memory.
//
//   128@t1  ->  lanes 32@t1, warps 4@t32
struct ReducedThreads {
  llvm::SmallVector<int64_t> laneMasks; // distances of a butterfly; with all of them lanes agree
  DigitList lanes;
  DigitList warps;
};
// Nullopt if lanes do not come in powers of two.
std::optional<ReducedThreads> reducedThreadsOf(llvm::ArrayRef<Digit> digits);

// The layout of the result of reducing a tile in memory to these extents, `reduced` elements each.
// Up to 32 neighbouring lanes share a result (and hold copies of it) where that gives more threads
// work, or, with `alongRow`, lets them read a row side by side at up to 8 results a thread.
const Layout *planReduction(Context &context, llvm::ArrayRef<int64_t> kept, int64_t reduced,
                            bool alongRow, int64_t threads);

// The layout of the tile that is reduced, from that of its result: dimension `dim` is put in, and
// lanes that hold copies of a result share its elements.
const Layout *reducedTileLayout(Context &context, const Layout &result, size_t dim,
                                int64_t reduced);

} // namespace tilescope
