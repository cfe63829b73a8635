// What is added lies as if it were copied.
#include "core/analysis/layouts/layout_state.h"
#include "core/analysis/select_tma.h"
#include "core/analysis/select_wgmma.h"

namespace tilescope {

void inferAtomicTileLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  const Buffer &source = state.buffer(op.regions[1].buffer);
  if (strength == LayoutStrength::Strict && isReducedByTma(op))
    state.wantSwizzle(source.id, wgmmaOperandLayout(state.context(), source), &op);
  inferMoveLayout(state, op, op.regions[1], op.regions[0], strength);
}

} // namespace tilescope
