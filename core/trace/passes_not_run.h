// Which passes of the pipeline a compile did not come to: it was to stop before them, or failed.
#pragma once

#include "core/pass/pass_options.h"
#include "core/trace/trace.h"

namespace tilescope {

// In the order in which they would end; groups are among them, passes of a group that failed are
// not. Empty for a trace without passes.
std::vector<NamedPass> passesNotRun(const Trace &trace);

} // namespace tilescope
