// Rows of 16 bytes that lie in different banks.
#include "core/analysis/layouts/layout_state.h"

namespace tilescope {

void inferLdmatrixLayout(LayoutState &state, const OpStmt &op, LayoutStrength) {
  state.wishSwizzle(op.regions[0].buffer, &op);
}

} // namespace tilescope
