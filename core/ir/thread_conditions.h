// Tile work under conditions on the thread.
//
//     if tx < 32:                          if tx < 32:
//       T.copy(A, S)                         flag[0] = 1
//       flag[0] = 1               becomes  T.copy(A, S)
//     else:                                for k in range(4):
//       for k in range(4):                   for i in T.Parallel(64):
//         for i in T.Parallel(64):             B[k, i] = S[i]
//           B[k, i] = S[i]
//
// Tile operations and parallel loops say what is done, not by whom: what some threads of a block
// would do together all of them do, one part of the kernel after the other. Single statements keep
// their condition. The order of statements stays, so each side reads what it read before.
//
// Done where the condition asks for nothing but the thread, some thread meets it, and neither side
// waits for the other: no barrier, no loop that ends when memory says so. Anything else stays as it
// is, and is judged where tile operations are lowered.
#pragma once

#include "core/ir/build.h"
#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope {

// What an expression is for one thread, where nothing else decides it.
std::optional<int64_t> valueForThread(Builder &ir, const Expr *expr, const Var *threadVar,
                                      int64_t thread);

// The same pointer: there is no such condition.
const Function *spreadTileWork(Context &context, const Function &function,
                               Diagnostics &diagnostics);

} // namespace tilescope
