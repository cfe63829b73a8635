// A move of a tile between fragments keeps every element on a thread that holds it. A tile in
// shared memory that fragments are moved to or from is swizzled: rows of an mma fragment lie in the
// same banks otherwise.
#include "core/analysis/layout_access.h"
#include "core/analysis/layouts/holders.h"
#include "core/analysis/layouts/layout_state.h"
#include "core/analysis/layouts/wide_axes.h"
#include "core/ir/build.h"

namespace tilescope {

namespace {

// A layout for the fragment of `to` by that of `from`.
void follow(LayoutState &state, const OpStmt &op, const BufferRegion &from,
            const BufferRegion &to) {
  const Layout &known = *state.find(from.buffer);
  std::optional<llvm::SmallVector<DigitList>> wide = wideDigits(from, known);
  if (!wide)
    return;
  if (const Layout *layout =
          layoutByWideAxes(state.context(), state.buffer(to.buffer), to, *wide, known.replicas))
    state.setFragment(to.buffer, layout, &op);
}

// The threads that hold the destination do the copy: they must hold the source.
void checkMove(LayoutState &state, const OpStmt &op, const BufferRegion &source,
               const BufferRegion &destination) {
  const Layout &to = *state.find(destination.buffer);
  const Layout *loop = layoutOfMove(state.context(), destination, to);
  for (const BufferRegion *region : {&source, &destination}) {
    const KnownLayout &fragment = *state.known(region->buffer);
    FragmentAccess access = accessOfMove({region->buffer, region->slot, region->ranges});
    std::string reason = whyNotHeld(access, *fragment.layout, *loop);
    if (reason.empty())
      continue;
    const Layout *served = layoutOfFragment(state, access, *loop);
    bool serves = served && whyNotHeld(access, *served, *loop).empty();
    reason += "; the copy is done by those that hold '" +
              state.buffer(destination.buffer).name.str() + "', " + toString(to);
    return state.addConflict({LayoutConflict::Kind::Layouts, &op, region->buffer, std::move(reason),
                              fragment.setBy, nullptr, fragment.layout, serves ? served : nullptr});
  }
}

void inferBetweenFragments(LayoutState &state, const OpStmt &op, const BufferRegion &source,
                           const BufferRegion &destination, LayoutStrength strength) {
  const Layout *from = state.find(source.buffer);
  const Layout *to = state.find(destination.buffer);
  if (strength == LayoutStrength::Common && from && to)
    return checkMove(state, op, source, destination);
  if (strength == LayoutStrength::Common && from)
    return follow(state, op, source, destination);
  if (strength == LayoutStrength::Common && to)
    return follow(state, op, destination, source);
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
  return state.planFragment(fragment.id, vector);
}

} // namespace

void inferMoveLayout(LayoutState &state, const OpStmt &op, const BufferRegion &source,
                     const BufferRegion &destination, LayoutStrength strength) {
  bool fromFragment = state.isFragment(source.buffer);
  bool toFragment = state.isFragment(destination.buffer);
  if (fromFragment && toFragment)
    return inferBetweenFragments(state, op, source, destination, strength);
  if (!fromFragment && !toFragment)
    return;
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
