// What must hold of roles (Role in core/ir/stmt.h) at every stage.
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope {

// Warp groups of the block, no role in another, no barrier of the block in one, no end of a loop
// around one, and fragments that are of one role each. Reports what does not.
void verifyRoles(const Function &function, Diagnostics &diagnostics);

} // namespace tilescope
