// The kernel as written: does a launch wait for those before it ahead of what it shares with them?
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope {

// Warns of each access that is not shown to come behind T.pdl_sync, of a tensor that an earlier
// launch writes, or that it reads where this one writes (core/analysis/early_accesses.h).
void verifyLaunches(Context &context, const Function &function, Diagnostics &diagnostics);

} // namespace tilescope
