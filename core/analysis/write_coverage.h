// What a piece of code writes to one buffer, over all threads: every element? some of them twice?
// Found by running the index arithmetic, all threads (or all iterations of a T.Parallel) at once:
//
//     for i in unroll(4):                                    128 threads
//       cp_async(A[...], S[i * 32 + tx // 4, tx % 4 * 8 : ...])    every element of S, each once
//     if tx < 32: S[tx] = 0                                  every element of an S of 32
//     if n < 7: S[tx] = 0                                    unknown: not every element
//
// So "writes fully" needs no record of how the code came about, and holds for text that was read.
#pragma once

#include "core/ir/module.h"

namespace tilescope {

struct WriteCoverage {
  bool isFull = false; // every execution writes every element
  bool isOnce = false; // no execution writes an element twice
};

// `launch`: where the statements run (null: outside of any); `role`: around them in it, whose
// threads alone run them. Both answers are false where an index,
// a condition or a trip count depends on more than threads, loops inside and constants.
WriteCoverage computeWriteCoverage(Context &context, StmtList stmts, const Buffer &buffer,
                                   const Launch *launch, const Role *role = nullptr);

} // namespace tilescope
