// From a function of tiles, as the kernel says it, to the AccessProgram of all that is not global
// memory: shared memory, fragments, registers. A leaf is one statement.
//
//     T.clear(c)                                  Leaf s1: write c
//     for k in T.Pipelined(trips):                Loop s2, trips [0, unknown]
//       T.copy(A[...], A_shared)                    Leaf s3: write A_shared
//       T.gemm(A_shared, B_shared, c)               Leaf s4: read A_shared, B_shared, c, write c
//     for i in T.Parallel(128):                   Loop s5, trips [128, 128]
//       s[i] = x[i] if i < n else 0                 If s6
//                                                     Leaf s6: read x
//                                                   Leaf s6: write s
//
// For questions about the kernel itself, of values and not of bytes: `access_builder.h` is the one
// for lifetimes and barriers.
#pragma once

#include "core/analysis/access_builder.h"

namespace tilescope {

// The elements of a T.Parallel come one after the other, although they may come in any order. Sides
// of a branch that threads may disagree on are concurrent roles. A slot, where there are several,
// may be any. An accumulator that a gemm clears on a condition counts as written only.
AccessTree computeStatementAccesses(const Function &function);

} // namespace tilescope
