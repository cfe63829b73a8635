// The sums are made in shared memory, so fragments may lie in any way.
#include "core/analysis/layouts/layout_state.h"

namespace tilescope {

void inferCumsumLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  if (strength != LayoutStrength::Free)
    return;
  for (const BufferRegion &region : op.regions) {
    if (!state.isFragment(region.buffer) || state.find(region.buffer))
      continue;
    if (const Layout *plan = state.planFragment(region.buffer, /*vector=*/1))
      state.setFragment(region.buffer, plan, &op);
  }
}

} // namespace tilescope
