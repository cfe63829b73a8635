// T.alloc_reducer: a result that iterations of parallel loops contribute to, in any order, until it
// is finalized. Each loop collects in a fragment of its own extents, which is reduced at the end:
//
//     acc = T.alloc_reducer(M, "float32")       acc = T.alloc_fragment((M,), "float32")
//                                               acc_parts = T.alloc_fragment((M, N), "float32")
//     T.clear(acc)                              T.clear(acc)
//                                               T.fill(acc_parts, 0)
//     for k in T.serial(steps):                 for k in T.serial(steps):
//       for i, j in T.Parallel(M, N):             for i, j in T.Parallel(M, N):
//         acc[i] += A[i, k * N + j]                 acc_parts[i, j] += A[i, k * N + j]
//     T.finalize_reducer(acc)                   T.reduce_sum(acc_parts, acc, dim=1, clear=False)
//
// So no thread need hold what another contributes to, and threads meet once.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// The body of the launch with its reducers expanded; the same where there are none. Reports what is
// no such use, and leaves it.
const Stmt *expandReducers(Evaluation &evaluation, const Stmt *body);

} // namespace tilescope::frontend
