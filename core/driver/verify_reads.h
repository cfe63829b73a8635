// The kernel as written: does it read what nothing has been written to?
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope {

// Reports each buffer of shared memory, fragments and registers that is read before any write
// (core/access/uninitialised_reads.h), or of which an element is
// (core/analysis/uninitialised_elements.h): once, as an error where that is certain, as a warning
// where it is not shown that all that is read was written. False if there is an error.
bool verifyReads(Context &context, const Function &function, Diagnostics &diagnostics);

} // namespace tilescope
