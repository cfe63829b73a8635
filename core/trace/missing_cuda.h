// Why a trace has no CUDA.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

// "pass plan-pipeline failed: ...", to follow "no CUDA: ". The trace has none.
std::string reasonOfMissingCuda(const Trace &trace);

} // namespace tilescope
