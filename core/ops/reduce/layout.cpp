// The result of a reduction lies where the rows (or columns) lie that it is of: every thread that
// holds a part of a row holds its result.
#include "core/analysis/layouts/layout_state.h"
#include "core/analysis/layouts/wide_axes.h"
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

// Null if that says not where all of the result lies.
const Layout *resultLayout(LayoutState &state, const OpStmt &op, const Layout &source) {
  auto dim = static_cast<size_t>(op.attr(Attr::Dim));
  BufferRegion kept = op.regions[0];
  llvm::SmallVector<Range> ranges(kept.ranges);
  ranges.erase(ranges.begin() + static_cast<ptrdiff_t>(dim));
  kept.ranges = ranges;
  const Layout *layout = dropDimension(state.context(), source, dim);
  std::optional<llvm::SmallVector<DigitList>> wide = wideDigits(kept, *layout);
  if (!wide)
    return nullptr;
  const BufferRegion &result = op.regions[1];
  return layoutByWideAxes(state.context(), state.buffer(result.buffer), result, *wide,
                          layout->replicas);
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
    layout = state.planFragment(source, /*vector=*/1);
    if (layout)
      state.setFragment(source, layout, &op);
  }
  if (!layout || strength == LayoutStrength::Strict || !state.isFragment(destination))
    return;
  if (const Layout *result = resultLayout(state, op, *layout))
    state.setFragment(destination, result, &op);
}

} // namespace tilescope
