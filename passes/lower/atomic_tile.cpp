// T.atomic_tile: one atomic operation for each element, by the thread that holds it; or, by TMA,
// for each box of the tile, which one thread begins, and waits for at once.
#include "core/analysis/select_tma.h"
#include "core/analysis/wide_sums.h"
#include "passes/lower/parallel.h"
#include "passes/lower/tma_boxes.h"

namespace tilescope {

static const Stmt *reduceByTma(LowerContext &lower, const OpStmt &op) {
  std::string reason =
      whyNotReducedByTma(lower.context(), lower.function(), lower.pass().target, op);
  return storeBoxes(lower, op, {op.regions[0], op.regions[1]},
                    {Op::TmaReduce, {{Attr::Kind, op.attr(Attr::Kind)}}}, reason);
}

const Stmt *lowerAtomicTile(LowerContext &lower, const OpStmt &op) {
  if (isReducedByTma(op))
    return reduceByTma(lower, op);
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
