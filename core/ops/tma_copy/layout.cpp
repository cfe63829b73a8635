// A tile that boxes fill is swizzled as wgmma reads it. What is no matrix of constant extents no
// box fills, as lowering says.
#include "core/analysis/layouts/layout_state.h"
#include "core/analysis/select_wgmma.h"

namespace tilescope {

void inferTmaCopyLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  BufferId id = op.regions[1].buffer;
  std::optional<llvm::SmallVector<int64_t>> shape = constantShape(state.buffer(id));
  if (strength == LayoutStrength::Strict && shape && shape->size() == 2)
    state.wantSwizzle(id, wgmmaOperandLayout(state.context(), state.buffer(id)), &op);
}

} // namespace tilescope
