// What must hold of roles (Role in core/ir/stmt.h) at every stage.
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope {

// What the launch bounds leave a thread of registers until a role says otherwise: a block has its
// part of those of a multiprocessor, which is to hold `minBlocks` (0: one), in steps of 8 (CUDA C++
// Programming Guide, "Compute Capabilities").
int64_t registersAtEntry(int64_t threads, int64_t minBlocks);

// Warp groups of the block, no role in another, no barrier of the block in one, no end of a loop
// around one, fragments that are of one role each, and no more registers than the block has, of
// which a role would wait for ever. Reports what does not.
void verifyRoles(const Function &function, Diagnostics &diagnostics);

} // namespace tilescope
