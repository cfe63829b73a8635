// A tile that boxes fill is swizzled as wgmma reads it, what has one axis keeps its order. What is
// neither that nor a matrix, of constant extents, no box fills, as lowering says.
#include "core/analysis/layouts/layout_state.h"
#include "core/analysis/select_wgmma.h"
#include "core/ir/aligned_rows.h"

namespace tilescope {

void inferTmaCopyLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  BufferId id = op.regions[1].buffer;
  std::optional<llvm::SmallVector<int64_t>> shape = constantShape(state.buffer(id));
  if (strength != LayoutStrength::Strict || !shape)
    return;
  if (shape->size() == 1)
    state.wantSwizzle(id, makeAlignedRows(state.context()), &op);
  else if (shape->size() == 2)
    state.wantSwizzle(id, wgmmaOperandLayout(state.context(), state.buffer(id)), &op);
}

} // namespace tilescope
