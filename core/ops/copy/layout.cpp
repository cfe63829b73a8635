#include "core/analysis/layouts/layout_state.h"

namespace tilescope {

void inferCopyLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  inferMoveLayout(state, op, op.regions[0], op.regions[1], strength);
}

} // namespace tilescope
