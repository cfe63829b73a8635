// Shared memory that a kernel reads and never writes: what it reads is what another block left
// there.
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope::frontend {

// Warns at the first read of each such buffer.
void warnOfUnwrittenBuffers(Context &context, const Function &function, Diagnostics &diagnostics);

} // namespace tilescope::frontend
