// Elements that a thread touches by a number that no other has: one that it drew from a counter.
//
//     atomic_fetch(count[r], number[0], 1)
//     at[0] = number[0]
//     s[r, at[0]] = x             element (r, n): the thread that drew n from count[r]
//
// Two threads draw the same number only if the counter is set back in between. That is a write that
// barriers must keep apart from what is drawn before and after it, and who asks looks for these
// barriers too: what was drawn before lies in front of them, its element as well, since no barrier
// stands between drawing and writing.
#pragma once

#include "core/analysis/stmt_places.h"
#include "core/ir/visit.h"

namespace tilescope {

// Of which counter the number is, which coordinate it is, and which of the others choose the
// counter: where two keys are equal, the threads of an element are.
using DrawKey = llvm::SmallVector<int64_t, 4>;

// Empty: it is not known to be such an element. Counters are in shared memory, are set to what is
// not negative, and counted up.
DrawKey drawKeyOf(Context &context, const Function &function, const StmtPlaces &places,
                  const Stmt &stmt, const BufferAccess &access);

} // namespace tilescope
