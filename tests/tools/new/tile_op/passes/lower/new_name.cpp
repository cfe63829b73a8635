// T.new_name: a fragment on the threads that hold it, shared memory spread over all of them.
//
//     T.new_name(tile)    =>    for i in T.serial(...): tile[...] = tile[...] + tile[...]
#include "core/analysis/layouts/layout_state.h"
#include "passes/lower/parallel.h"

namespace tilescope {

const Stmt *lowerNewName(LowerContext &lower, const OpStmt &op) {
  const BufferRegion &region = op.regions[0];
  const Buffer &tile = lower.buffer(region.buffer);
  std::optional<PairedAxes> axes = pairAxes(lower, region, region);
  if (!axes)
    return lower.fail(tile.id, "the extents of the region are not positive constants");
  const Expr *element = lower.builder().load(tile, region.slot, axes->source);
  const Stmt *store = lower.context().make<Store>(
      lower.info(), tile.id, region.slot, lower.context().copy<const Expr *>(axes->destination),
      lower.builder().add(element, element));
  llvm::SmallVector<const Expr *> extents;
  for (int64_t extent : axes->extents)
    extents.push_back(lower.index(extent));
  const Layout *layout = tile.scope == Scope::Fragment
                             ? layoutOfMove(lower, region)
                             : planPartition(lower.context(), axes->extents, /*vector=*/1,
                                             lower.threads(), /*replicate=*/false);
  Parallel loop(lower.info(), lower.context().copy<const Var *>(axes->vars),
                lower.context().copy<const Expr *>(extents), store, 0, layout);
  return lowerElementwise(lower, loop);
}

} // namespace tilescope
