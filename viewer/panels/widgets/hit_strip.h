// In which passes a query is found.
#pragma once

#include "core/views/search_model.h"
#include "viewer/panels/panel.h"

namespace tilescope {

// A cell a pass; the more hits, the fuller. Click to go there. Below it, in words, the pass under
// the mouse, else the selected one.
void drawHitStrip(PanelContext &context, const SearchView &view);

} // namespace tilescope
