// Names that nobody reads, which simplify drops.
#pragma once

#include "core/ir/visit.h"

namespace tilescope {

// Whether the schedule of a pipelined loop names the statements of its body, or counts them: then
// each must stay.
bool hasFixedChildren(const For &loop);

// Without the bindings that nothing reads, those that only they read included; one whose value
// loads from memory stays. Null: nothing is left.
const Stmt *withoutUnreadBinds(Context &context, const Stmt *body);

} // namespace tilescope
