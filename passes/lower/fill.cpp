// T.fill and T.clear: all registers of a fragment, or a region of memory spread over the threads.
#include "core/analysis/layout_access.h"
#include "core/analysis/layouts/layout_state.h"
#include "passes/lower/parallel.h"

namespace tilescope {

namespace {

const Stmt *fillRegisters(LowerContext &lower, const Buffer &fragment, const Expr *value) {
  return lower.unrolledOver("r", fragment.layout->registerCount(), [&](const Expr *number) {
    return lower.context().make<Store>(lower.info(), fragment.id, nullptr,
                                       lower.context().copy<const Expr *>({number}), value);
  });
}

// Whether the value lies in registers that layouts spread.
bool readsFragment(LowerContext &lower, const Expr *value) {
  bool found = false;
  walk(value, [&](const Expr *part) {
    const auto *load = llvm::dyn_cast<Load>(part);
    found |= load && lower.buffer(load->buffer).scope == Scope::Fragment;
  });
  return found;
}

// Elements that one thread may write at once along the last axis.
int64_t widthOf(LowerContext &lower, const Buffer &buffer, const PairedAxes &axes) {
  if (axes.vars.empty())
    return 1;
  int64_t limit = axes.extents.back() & -axes.extents.back();
  return contiguousElements(lower.context(), buffer, axes.destination, axes.vars.back(), limit);
}

} // namespace

const Stmt *lowerFill(LowerContext &lower, const OpStmt &op) {
  const BufferRegion &region = op.regions[0];
  const Buffer &buffer = lower.buffer(region.buffer);
  bool isFragment = buffer.scope == Scope::Fragment;
  if (isFragment && isWhole(region, buffer) && !readsFragment(lower, op.args[0]))
    return fillRegisters(lower, buffer, op.args[0]);
  std::optional<PairedAxes> axes = pairAxes(lower, region, region);
  if (!axes)
    return lower.fail(buffer.id, "the extents of the region are not positive constants");
  const Stmt *store = lower.context().make<Store>(
      lower.info(), buffer.id, region.slot, lower.context().copy<const Expr *>(axes->destination),
      op.args[0]);
  llvm::SmallVector<const Expr *> extents;
  for (int64_t extent : axes->extents)
    extents.push_back(lower.index(extent));
  const Layout *layout = nullptr;
  if (isFragment)
    layout = layoutOfMove(lower, region);
  else if (isOwnOfThread(buffer))
    layout = makeReplicated(lower.context(), axes->extents, lower.threads());
  else
    layout = planPartition(lower.context(), axes->extents, widthOf(lower, buffer, *axes),
                           lower.threads(), /*replicate=*/false);
  Parallel parallel(lower.info(), lower.context().copy<const Var *>(axes->vars),
                    lower.context().copy<const Expr *>(extents), store, 0, layout);
  return lowerElementwise(lower, parallel);
}

} // namespace tilescope
