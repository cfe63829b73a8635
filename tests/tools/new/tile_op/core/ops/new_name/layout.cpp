// A fragment that nothing else gives a layout is spread evenly.
#include "core/analysis/layouts/layout_state.h"

namespace tilescope {

void inferNewNameLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  BufferId tile = op.regions[0].buffer;
  if (strength != LayoutStrength::Free || !state.isFragment(tile) || state.find(tile))
    return;
  if (const Layout *layout = state.planFragment(tile, /*vector=*/1))
    state.setFragment(tile, layout, &op);
}

} // namespace tilescope
