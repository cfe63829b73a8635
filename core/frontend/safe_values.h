// T.annotate_safe_value: what is read outside of a tensor, where that is not 0.
//
//     T.annotate_safe_value({A: -1})
//     x[i] = A[bx * 128 + i]              =>    x[i] = A[bx * 128 + i] if bx * 128 + i < M else -1
//     T.copy(A[bx * 128], tile)           =>    for i in T.Parallel(128):
//                                                 tile[i] = A[bx * 128 + i] if ... else -1
//
// (and `0 <= bx * 128 + i`). So the value is one that the kernel reads as any other, and conditions
// that hold are simplified away. A copy that becomes a loop is not asynchronous.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// The body of the launch with its reads; the same where no tensor has such a value. Reports an
// operation that reads such a tensor as nothing but a copy does, and leaves it.
const Stmt *readSafeValues(Evaluation &evaluation, const Stmt *body);

} // namespace tilescope::frontend
