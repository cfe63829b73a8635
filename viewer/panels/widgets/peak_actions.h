// Other arguments, and edits of the IR, and what each would do to the peak; a click compiles the
// kernel with them.
#pragma once

#include "core/views/peak_arguments.h"
#include "viewer/panels/panel.h"

namespace tilescope {

// Of a live kernel.
void drawPeakActions(PanelContext &context, const PeakTrials &trials);

} // namespace tilescope
