// Which tensor cores the products of a kernel are given to.
#pragma once

#include "core/pass/pass.h"
#include "passes/marked_stmts.h"

namespace tilescope {

// With those products by wgmma that can be, each of which takes the place of the zeros right before
// it; a remark says of each other product why it cannot be.
MarkedStmts withWarpGroups(const Function &function, PassContext &pass);

} // namespace tilescope
