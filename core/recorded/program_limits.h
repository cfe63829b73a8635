// What the analyses take on: a trace comes from strangers, and may say anything.
#pragma once

#include "core/access/access_program.h"

namespace tilescope {

inline constexpr const char *TooMuch = "what so many accesses lead to";

// nullptr: it can be worked out; else what is not known, because it is too much or makes no sense.
const char *whyNotFollowed(const AccessProgram &program);

} // namespace tilescope
