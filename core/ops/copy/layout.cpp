#include "core/analysis/layouts/layout_state.h"
#include "core/analysis/select_tma.h"
#include "core/analysis/select_wgmma.h"

namespace tilescope {

// TMA stores a tile as it loads one, swizzled as wgmma would read it.
void inferCopyLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  const Buffer &source = state.buffer(op.regions[0].buffer);
  if (strength == LayoutStrength::Strict && isStoredByTma(op))
    state.wantSwizzle(source.id, wgmmaOperandLayout(state.context(), source), &op);
  inferMoveLayout(state, op, op.regions[0], op.regions[1], strength);
}

} // namespace tilescope
