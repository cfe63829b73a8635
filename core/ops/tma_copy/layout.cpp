// A tile that boxes fill is swizzled as wgmma reads it.
#include "core/analysis/layouts/layout_state.h"
#include "core/analysis/select_wgmma.h"

namespace tilescope {

void inferTmaCopyLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  BufferId id = op.regions[1].buffer;
  if (strength == LayoutStrength::Strict)
    if (const Layout *layout = wgmmaOperandLayout(state.context(), state.buffer(id)))
      state.wantSwizzle(id, layout, &op);
}

} // namespace tilescope
