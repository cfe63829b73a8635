// What a statement touches, its parts with it.
#pragma once

#include "core/ir/module.h"

#include <set>

namespace tilescope {

bool touchesAny(Context &context, const Stmt &stmt, const std::set<BufferId> &buffers);
// Those that are no memory: fragments, registers, variables.
std::set<BufferId> registersTouchedBy(Context &context, const Function &function, const Stmt &stmt);

} // namespace tilescope
