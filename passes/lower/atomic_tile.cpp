// T.atomic_tile: one atomic operation for each element, by the thread that holds it.
#include "core/analysis/wide_sums.h"
#include "passes/lower/parallel.h"

namespace tilescope {

const Stmt *lowerAtomicTile(LowerContext &lower, const OpStmt &op) {
  Builder &builder = lower.builder();
  const BufferRegion &destination = op.regions[0];
  const BufferRegion &source = op.regions[1];
  std::optional<PairedAxes> axes = pairAxes(lower, source, destination);
  if (!axes)
    return lower.fail(destination.buffer,
                      "the extents of the operation are not positive constants");
  const Buffer &to = lower.buffer(destination.buffer);
  const Buffer &from = lower.buffer(source.buffer);
  const Expr *value = builder.cast(to.dtype, builder.load(from, source.slot, axes->source));
  llvm::SmallVector<Range> element;
  for (const Expr *index : axes->destination)
    element.push_back({index, builder.integer(1, index->dtype())});
  const Stmt *atomic =
      builder.op(lower.info(), Op::AtomicElement,
                 builder.region(to.id, destination.slot, element, destination.span), value,
                 {{Attr::Kind, op.attr(Attr::Kind)}, {Attr::Order, op.attr(Attr::Order)}});
  llvm::SmallVector<const Expr *> extents;
  for (int64_t extent : axes->extents)
    extents.push_back(lower.index(extent));
  Parallel nest(lower.info(), lower.context().copy<const Var *>(axes->vars),
                lower.context().copy<const Expr *>(extents), atomic, 0, nullptr);
  const Layout *layout = nullptr;
  if (from.scope == Scope::Fragment)
    layout = layoutOfMove(lower, source);
  else if (isOwnOfThread(from))
    layout = makeReplicated(lower.context(), axes->extents, lower.threads());
  else
    layout = planRuns(lower, nest,
                      isPlainSum(llvm::cast<OpStmt>(*atomic), lower.function())
                          ? widestSum(lower.pass().target, to)
                          : 1);
  Parallel parallel(nest.info(), nest.vars, nest.extents, atomic, 0, layout);
  return lowerElementwise(lower, parallel,
                          isOwnOfThread(from) ? Writers::AllCopies : Writers::FirstCopy);
}

} // namespace tilescope
