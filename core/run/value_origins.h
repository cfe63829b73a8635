// Where a value comes from, backwards from the statement that wrote it, nearest first: who wrote
// what it reads, the names in it, and the loops and conditions around it.
//
//     T.copy(A, S)               3
//     if n < 5:                  2
//       acc[0] += S[tx]          1
//     C[tx] = acc[0]             0: the one that wrote it
//
// By buffers, not by elements: a statement may be listed that wrote another element.
#pragma once

#include "core/ir/module.h"

#include <vector>

namespace tilescope {

// `writers`: statements of the function, and the first of the answer.
std::vector<const Stmt *> originsOf(const Function &function, llvm::ArrayRef<StmtId> writers);

// All that write the buffer, in order.
std::vector<const Stmt *> writersOf(const Function &function, BufferId buffer);

} // namespace tilescope
