// What wgmma and TMA move of a tile at a time, in lines; a click chooses which of them is drawn
// over the grid.
#pragma once

#include "core/views/layouts_model.h"
#include "viewer/panels/panel.h"

namespace tilescope {

// The view has one buffer.
void drawLayoutBlocks(PanelContext &context, const LayoutsView &view);

} // namespace tilescope
