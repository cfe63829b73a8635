// The kernel as written: does it read what nothing has been written to?
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope {

// Reports each buffer of shared memory, fragments and registers that is read before any write, at
// the first such read; true if there is none. What is certain is reported (see
// core/access/uninitialised_reads.h): a write in a loop that may run zero times, under a condition,
// or of a part, is a write.
bool verifyReads(Context &context, const Function &function, Diagnostics &diagnostics);

} // namespace tilescope
