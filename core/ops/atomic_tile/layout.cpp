// What is added lies as if it were copied.
#include "core/analysis/layouts/layout_state.h"

namespace tilescope {

void inferAtomicTileLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  inferMoveLayout(state, op, op.regions[1], op.regions[0], strength);
}

} // namespace tilescope
