// A fill takes any layout. A fragment that nothing else gives one is spread evenly.
#include "core/analysis/layouts/layout_state.h"

namespace tilescope {

void inferFillLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  const Buffer &buffer = state.buffer(op.regions[0].buffer);
  if (strength != LayoutStrength::Free || buffer.scope != Scope::Fragment || state.find(buffer.id))
    return;
  if (const Layout *plan = state.planFragment(buffer.id, /*vector=*/1))
    state.setFragment(buffer.id, plan, &op);
}

} // namespace tilescope
