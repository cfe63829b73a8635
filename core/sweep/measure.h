// The figures of a compile that came to its end.
#pragma once

#include "core/sweep/sweep_row.h"
#include "core/trace/trace.h"

namespace tilescope {

// The trace has at least one pass.
SweepFigures measure(const Trace &trace);

} // namespace tilescope
