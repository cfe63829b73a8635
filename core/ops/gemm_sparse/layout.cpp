// As those of T.gemm: a fragment of the first operand has the columns that are kept.
#include "core/analysis/layouts/layout_state.h"

namespace tilescope {

void inferGemmSparseLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  inferGemmLayout(state, op, strength);
}

} // namespace tilescope
