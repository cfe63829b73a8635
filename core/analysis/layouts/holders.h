// Whether threads hold the fragment elements that they touch.
#pragma once

#include "core/analysis/fragment_digits.h"
#include "core/analysis/layouts/parallel_access.h"

namespace tilescope {

// Why a thread that runs an iteration of a loop with layout `loop` does not hold the element that
// the iteration touches; empty if it does, for every iteration and every copy of it.
std::string whyNotHeld(const FragmentAccess &access, const Layout &fragment, const Layout &loop);

} // namespace tilescope
