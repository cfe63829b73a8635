// The result of a reduction lies where the rows (or columns) lie that it is of: every thread that
// holds a part of a row holds its result.
#include "core/analysis/layouts/layout_state.h"
#include "core/analysis/reduce_layouts.h"
#include "core/ir/build.h"

namespace tilescope {

namespace {

// A tile in memory is read by whoever shall hold the result.
void inferFromMemory(LayoutState &state, const OpStmt &op) {
  const Buffer &result = state.buffer(op.regions[1].buffer);
  std::optional<llvm::SmallVector<int64_t>> kept = constantShape(result);
  llvm::ArrayRef<Range> ranges = op.regions[0].ranges;
  auto dim = static_cast<size_t>(op.attr(Attr::Dim));
  std::optional<int64_t> reduced = constantValue(ranges[dim].extent);
  if (!kept || !reduced || state.find(result.id))
    return;
  state.setFragment(
      result.id,
      planReduction(state.context(), *kept, *reduced, dim + 1 == ranges.size(), state.threads()),
      &op);
}

} // namespace

void inferReduceLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  BufferId source = op.regions[0].buffer;
  BufferId destination = op.regions[1].buffer;
  if (!state.isFragment(source) && state.isFragment(destination) &&
      strength == LayoutStrength::Free)
    return inferFromMemory(state, op);
  if (!state.isFragment(source))
    return;
  const Layout *layout = state.find(source);
  if (!layout && strength == LayoutStrength::Free) {
    if (std::optional<llvm::SmallVector<int64_t>> shape = constantShape(state.buffer(source)))
      layout = planPartition(state.context(), *shape, 1, state.threads(), /*replicate=*/true);
    if (layout)
      state.setFragment(source, layout, &op);
  }
  if (!layout || strength == LayoutStrength::Strict || !state.isFragment(destination))
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
