// T.copy: between global and shared memory as vectors, asynchronously where the pipeline wants it
// and the copy allows it; to and from fragments as element-wise code on the threads that hold them.
// What TMA stores one thread begins, and waits for at once:
//
//     T.copy(C_shared[0:64, 0:128], C[bx * 64, 0:128], prefer="tma")
//  =>
//     T.tma_store(C_shared[0:64, 0:64], C[bx * 64, 0:64])
//     T.tma_store(C_shared[0:64, 64:128], C[bx * 64, 64:128])
//     T.tma_store_commit()
//     T.tma_store_wait(pending=0)
#include "core/analysis/layout_access.h"
#include "core/analysis/select_copy.h"
#include "core/analysis/select_tma.h"
#include "passes/lower/parallel.h"
#include "passes/lower/thread_nest.h"
#include "passes/lower/tma_boxes.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

bool isFragment(LowerContext &lower, const BufferRegion &region) {
  return lower.buffer(region.buffer).scope == Scope::Fragment;
}

// The slice of one access: single elements, `width` of them along the last axis.
BufferRegion sliceOf(LowerContext &lower, const BufferRegion &region, ExprList indices,
                     int64_t width) {
  llvm::SmallVector<Range> ranges;
  for (const Expr *index : indices)
    ranges.push_back({index, lower.builder().integer(1, index->dtype())});
  ranges.back().extent = lower.builder().integer(width, ranges.back().min->dtype());
  return lower.builder().region(region.buffer, region.slot, ranges, region.span);
}

void remarkOnCopy(LowerContext &lower, const OpStmt &copy, const CopyChoice &choice,
                  llvm::StringRef instruction) {
  const Buffer &source = lower.buffer(copy.regions[0].buffer);
  const Buffer &destination = lower.buffer(copy.regions[1].buffer);
  RemarkSubject subject{copy.id(), copy.span(), {source.id, destination.id}};
  emitRemark(lower.pass().remarks, RemarkId::CopyInstructionChosen, subject, source.name,
             destination.name, instruction, choice.vectorBytes, choice.reason);
  if (copy.attr(Attr::Async) && !choice.canBeAsync())
    emitRemark(lower.pass().remarks, RemarkId::CopyNotAsync, subject, source.name, destination.name,
               choice.reason);
}

// One vector a thread and step.
const Stmt *copyVectors(LowerContext &lower, const OpStmt &copy, const CopyChoice &choice,
                        const PairedAxes &axes) {
  bool isAsync = choice.canBeAsync() && copy.attr(Attr::Async);
  int64_t width = choice.vectorBytes * 8 / lower.buffer(copy.regions[1].buffer).dtype.bits;
  llvm::SmallVector<int64_t> vectors(axes.extents);
  if (!vectors.empty())
    vectors.back() /= width;
  const Layout *layout =
      planPartition(lower.context(), vectors, 1, lower.threads(), /*replicate=*/false);
  llvm::SmallVector<NestDim> dims;
  for (auto [var, extent] : llvm::zip_equal(axes.vars, axes.extents))
    dims.push_back({var, extent, 1});
  if (!dims.empty())
    dims.back().unit = width;
  const BufferRegion sides[] = {sliceOf(lower, copy.regions[0], axes.source, width),
                                sliceOf(lower, copy.regions[1], axes.destination, width)};
  const Stmt *move = lower.builder().op(lower.info(), isAsync ? Op::CpAsync : Op::VectorCopy, sides,
                                        {}, {{Attr::Bytes, choice.vectorBytes}});
  remarkOnCopy(lower, copy, choice, isAsync ? "cp.async" : "vector loads and stores");
  return ThreadNest(lower, *layout, dims).wrap(move);
}

// destination[...] = cast(source[...]) for the threads that hold the fragment, or for all.
const Stmt *copyElements(LowerContext &lower, const OpStmt &copy, const CopyChoice &choice,
                         const PairedAxes &axes) {
  Builder &builder = lower.builder();
  const BufferRegion &source = copy.regions[0];
  const BufferRegion &destination = copy.regions[1];
  const Buffer &to = lower.buffer(destination.buffer);
  const Expr *value =
      builder.cast(to.dtype, builder.load(lower.buffer(source.buffer), source.slot, axes.source));
  const Stmt *store =
      lower.context().make<Store>(lower.info(), to.id, destination.slot,
                                  lower.context().copy<const Expr *>(axes.destination), value);
  llvm::SmallVector<const Expr *> extents;
  for (int64_t extent : axes.extents)
    extents.push_back(lower.index(extent));
  Parallel nest(lower.info(), lower.context().copy<const Var *>(axes.vars),
                lower.context().copy<const Expr *>(extents), store, 0, nullptr);
  bool isOwn = isOwnOfThread(to) || isOwnOfThread(lower.buffer(source.buffer));
  const Layout *layout = nullptr;
  if (isFragment(lower, destination))
    layout = layoutOfMove(lower, destination);
  else if (isFragment(lower, source))
    layout = layoutOfMove(lower, source);
  else if (isOwn)
    layout = makeReplicated(lower.context(), axes.extents, lower.threads());
  else
    layout = planRuns(lower, nest, WidestAccessBytes);
  remarkOnCopy(lower, copy, choice, "loads and stores");
  Parallel parallel(nest.info(), nest.vars, nest.extents, store, 0, layout);
  return lowerElementwise(lower, parallel, isOwn ? Writers::AllCopies : Writers::FirstCopy);
}

const Stmt *storeByTma(LowerContext &lower, const OpStmt &op) {
  std::string reason =
      whyNotStoredByTma(lower.context(), lower.function(), lower.pass().target, op);
  return storeBoxes(lower, op, {op.regions[1], op.regions[0]}, {Op::TmaStore, {}}, reason);
}

} // namespace

const Stmt *lowerCopy(LowerContext &lower, const OpStmt &op) {
  if (isStoredByTma(op))
    return storeByTma(lower, op);
  CopyChoice choice = selectCopy(op, lower.function(), lower.pass().target);
  std::optional<PairedAxes> axes = pairAxes(lower, op.regions[0], op.regions[1]);
  if (!axes)
    return lower.fail(op.regions[1].buffer, "the extents of the copy are not positive constants");
  bool isShared = llvm::none_of(op.regions, [&](const BufferRegion &region) {
    return isFragment(lower, region) || isOwnOfThread(lower.buffer(region.buffer));
  });
  if (isShared && choice.method != CopyMethod::Scalar)
    return copyVectors(lower, op, choice, *axes);
  return copyElements(lower, op, choice, *axes);
}

} // namespace tilescope
