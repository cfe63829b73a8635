// Launches that begin before those before them have ended, and wait for them by themselves.
#pragma once

#include "core/frontend/builtins.h"

namespace tilescope::frontend {

// Emits an operation that takes nothing. Reports where the target has no such launches.
Value emitOfDependentLaunch(Args &args, Op op);

} // namespace tilescope::frontend
