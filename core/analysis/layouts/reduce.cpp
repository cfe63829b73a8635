// The result of a reduction lies where the rows (or columns) lie that it is of: every thread that
// holds a part of a row holds its result.
#include "core/analysis/layouts/layout_state.h"

namespace tilescope {

void inferReduceLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  BufferId source = op.regions[0].buffer;
  BufferId destination = op.regions[1].buffer;
  if (!state.isFragment(source) || !state.isFragment(destination))
    return;
  const Layout *layout = state.find(source);
  if (!layout && strength == LayoutStrength::Free) {
    if (std::optional<llvm::SmallVector<int64_t>> shape = constantShape(state.buffer(source)))
      layout = planPartition(state.context(), *shape, 1, state.threads(), /*replicate=*/true);
    if (layout)
      state.setFragment(source, layout, &op);
  }
  if (!layout || strength == LayoutStrength::Strict)
    return;
  int64_t dim = op.attr(Attr::Dim);
  size_t rank = layout->dims.size();
  size_t reduced = dim < 0 ? dim + rank : dim;
  if (reduced >= rank)
    return;
  const Layout *result = dropDimension(state.context(), *layout, reduced);
  // A result that keeps the reduced dimension with extent 1.
  if (state.buffer(destination).shape.size() == rank) {
    llvm::SmallVector<DigitList> dims;
    for (llvm::ArrayRef<Digit> digits : result->dims)
      dims.push_back(DigitList(digits));
    dims.insert(dims.begin() + reduced, DigitList());
    result = makeDenseFragment(state.context(), dims, result->replicas);
  }
  state.setFragment(destination, result, &op);
}

} // namespace tilescope
