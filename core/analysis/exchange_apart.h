// Whether threads that run statements at the same time touch elements of their own, whichever these
// are the next time:
//
//     for s in serial(7):
//       j = tx ^ (1 << s)
//       if tx < j and s[tx] > s[j]:       the lower thread of each pair reads and writes both
//         t = s[tx]
//         s[tx] = s[j]
//         s[j] = t
//
// Values of the loops around the statements are gone through one by one, so they must be known, but
// where the partner is `j = tx ^ d`: of such pairs the lower threads have no element in common
// whatever d is, if all threads agree on it.
#pragma once

#include "core/analysis/stmt_places.h"
#include "core/ir/module.h"

namespace tilescope {

// Of siblings, whatever is in them, and one buffer. True: no element that one thread writes is
// touched by another one, in any one run of the statements.
bool isExchangeApart(Context &context, const StmtPlaces &places, StmtList stmts,
                     const Buffer &buffer);

} // namespace tilescope
