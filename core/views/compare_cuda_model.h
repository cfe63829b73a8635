// View `compare-cuda`: the emitted CUDA beside that of another compile.
#pragma once

#include "core/views/compared_text.h"

namespace tilescope {

using CompareCudaView = ComparedText;

CompareCudaView buildCompareCuda(const Trace &trace, const Trace &other,
                                 const Selection &selection);

} // namespace tilescope
