// A copy between fragments keeps every element on its thread. A tile in shared memory that
// fragments are copied to or from is swizzled: rows of an mma fragment lie in the same banks
// otherwise. The rule also serves region-wise atomic_add, which has the same shape.
#include "core/analysis/layout_access.h"
#include "core/analysis/layouts/layout_state.h"
#include "core/ir/build.h"

namespace tilescope {

namespace {

void equate(LayoutState &state, const OpStmt &op, BufferId from, BufferId to) {
  if (const Layout *layout = state.find(from))
    state.setFragment(to, layout, &op);
}

// Extents other than 1 of the memory side against the dimensions of the fragment: a partition of
// the fragment with whole vectors of the memory rows.
const Layout *planFragment(LayoutState &state, const Buffer &fragment, const BufferRegion &memory) {
  std::optional<llvm::SmallVector<int64_t>> shape = constantShape(fragment);
  if (!shape || shape->empty())
    return nullptr;
  Builder builder(state.context());
  const Var *step = builder.var("step", memory.ranges.back().min->dtype());
  llvm::SmallVector<const Expr *> indices;
  for (const Range &range : memory.ranges)
    indices.push_back(range.min);
  indices.back() = builder.add(indices.back(), step);
  const Buffer &buffer = state.buffer(memory.buffer);
  int64_t vector = contiguousElements(state.context(), buffer, indices, step, shape->back(),
                                      state.boundValues());
  // Rather all threads with short vectors than some with long ones.
  int64_t total = 1;
  for (int64_t extent : *shape)
    total *= extent;
  while (vector > 1 && (total / vector < state.threads() || shape->back() % vector != 0))
    vector /= 2;
  return planPartition(state.context(), *shape, vector, state.threads(), /*replicate=*/true);
}

} // namespace

void inferCopyLayout(LayoutState &state, const OpStmt &op, LayoutStrength strength) {
  // atomic_add names its destination first.
  const BufferRegion &source = op.regions[op.op == Op::AtomicAdd ? 1 : 0];
  const BufferRegion &destination = op.regions[op.op == Op::AtomicAdd ? 0 : 1];
  bool fromFragment = state.isFragment(source.buffer);
  bool toFragment = state.isFragment(destination.buffer);
  if (fromFragment == toFragment) {
    if (fromFragment && strength == LayoutStrength::Common) {
      equate(state, op, source.buffer, destination.buffer);
      equate(state, op, destination.buffer, source.buffer);
    }
    return;
  }
  const BufferRegion &registers = fromFragment ? source : destination;
  const BufferRegion &memory = fromFragment ? destination : source;
  if (strength == LayoutStrength::Common)
    state.wishSwizzle(memory.buffer, &op);
  if (strength != LayoutStrength::Free || state.find(registers.buffer))
    return;
  if (const Layout *plan = planFragment(state, state.buffer(registers.buffer), memory))
    state.setFragment(registers.buffer, plan, &op);
}

} // namespace tilescope
