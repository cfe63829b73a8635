// View `compare-ir`: the IR after a pass beside that of another compile after the same pass.
#pragma once

#include "core/views/compared_text.h"

namespace tilescope {

using CompareIrView = ComparedText;

// Both passes must be loaded.
CompareIrView buildCompareIr(const Trace &trace, const Trace &other, const Selection &selection);

} // namespace tilescope
