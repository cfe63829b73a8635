// The kernel as written: do iterations of a T.Parallel, which have no order, depend on each other?
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope {

// Warns of each nest and buffer in which they do, or are not shown not to
// (core/analysis/nest_dependences.h), and of exchanges between lanes in one. The kernel compiles:
// the barriers that order it give a value, but one that depends on how many threads run it.
void verifyNests(Context &context, const Function &function, Diagnostics &diagnostics);

} // namespace tilescope
