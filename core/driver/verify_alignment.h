// The kernel as written: do accesses of several words start where one instruction may?
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope {

// Warns of each raw access to memory whose start is not shown to be a multiple of its bytes: the
// GPU refuses it where it is none, which `exec` finds.
void verifyAlignment(const Function &function, Diagnostics &diagnostics);

} // namespace tilescope
