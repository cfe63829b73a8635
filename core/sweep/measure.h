// What is known of a compile that came to its end.
#pragma once

#include "core/ir/module.h"
#include "core/sweep/ptxas_usage.h"
#include "core/sweep/sweep_row.h"
#include "core/trace/trace.h"

namespace tilescope {

// The trace has at least one pass; the module is what the last one left. nullopt: ptxas was not
// asked.
SweepFigures measure(const Trace &trace, const Module &module,
                     const std::optional<PtxasUsage> &usage);

// "A: float16[1024, 512], B: float16[512, n]": each tensor that a kernel of the module takes, once.
std::string problemOf(const Module &module);

} // namespace tilescope
