// A parallel loop that the pipeline runs ahead (core/analysis/select_gather.h): each thread starts
// copies of a few adjacent elements, from where the indices say that it evaluates.
#include "core/analysis/layouts/parallel_access.h"
#include "core/analysis/select_gather.h"
#include "passes/lower/parallel.h"
#include "passes/lower/thread_nest.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

BufferRegion runOf(LowerContext &lower, BufferId buffer, const Expr *slot, ExprList indices,
                   int64_t elements) {
  llvm::SmallVector<Range> ranges;
  for (const Expr *index : indices)
    ranges.push_back({index, lower.builder().integer(1, index->dtype())});
  ranges.back().extent = lower.builder().integer(elements, ranges.back().min->dtype());
  return lower.builder().region(buffer, slot, ranges, lower.stmt().span());
}

} // namespace

const Stmt *lowerGather(LowerContext &lower, const Parallel &nest) {
  std::optional<Gather> gather = gatherOf(nest, lower.function());
  std::optional<llvm::SmallVector<int64_t>> extents = constantExtents(nest);
  if (!gather || !extents)
    return nullptr;
  GatherChoice choice =
      selectGather(lower.context(), nest, *gather, lower.function(), lower.pass().target);
  if (!choice.obstacle.empty())
    return nullptr;
  const Buffer &source = lower.buffer(gather->load->buffer);
  const Buffer &destination = lower.buffer(gather->store->buffer);
  int64_t width = choice.vectorBytes * 8 / destination.dtype.bits;
  llvm::SmallVector<int64_t> vectors(*extents);
  vectors.back() /= width;
  const Layout *layout =
      planPartition(lower.context(), vectors, 1, lower.threads(), /*replicate=*/false);
  llvm::SmallVector<NestDim> dims;
  for (auto [var, extent] : llvm::zip_equal(nest.vars, *extents))
    dims.push_back({var, extent, 1, /*isOfKernel=*/true});
  dims.back().unit = width;

  llvm::SmallVector<const Stmt *> stmts;
  for (const Bind *bind : gather->binds)
    stmts.push_back(lower.bind(bind->var, bind->value));
  const BufferRegion sides[] = {
      runOf(lower, source.id, gather->load->slot, gather->load->indices, width),
      runOf(lower, destination.id, gather->store->slot, gather->store->indices, width)};
  stmts.push_back(lower.builder().op(lower.info(), Op::CpAsync, sides, gather->predicate,
                                     {{Attr::Bytes, choice.vectorBytes}}));
  emitRemark(lower.pass().remarks, RemarkId::CopyInstructionChosen,
             {nest.id(), nest.span(), {source.id, destination.id}}, source.name, destination.name,
             "cp.async", choice.vectorBytes, "each run from where its indices say");
  return ThreadNest(lower, *layout, dims).wrap(lower.seq(stmts));
}

} // namespace tilescope
