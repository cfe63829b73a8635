// Random programs that verify, from a seed.
#pragma once

#include "core/ir/module.h"

namespace tilescope {

// With `identity` statements also get spans, origins and anchors, and sequences of one statement
// occur: what plain text cannot say.
const Module *randomModule(Context &context, unsigned seed, bool identity);

} // namespace tilescope
