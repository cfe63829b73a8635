// The figures of a compile that came to its end.
#pragma once

#include "core/sweep/ptxas_log.h"
#include "core/sweep/sweep_row.h"
#include "core/trace/trace.h"

namespace tilescope {

// The trace has at least one pass. nullopt: ptxas was not asked.
SweepFigures measure(const Trace &trace, const std::optional<PtxasUsage> &usage);

} // namespace tilescope
