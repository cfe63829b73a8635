// T.Parallel: each thread runs the iterations whose fragment elements it holds. Accesses to
// fragments become accesses to its registers; accesses to memory stay as they are.
#include "passes/lower/parallel.h"

#include "core/analysis/layouts/holders.h"
#include "passes/lower/thread_nest.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

bool writesMemory(LowerContext &lower, const Stmt *stmt) {
  return llvm::any_of(accessesOf(lower.context(), stmt), [&](const BufferAccess &access) {
    return access.effect != Effect::Read && isMemory(lower.buffer(access.buffer).scope);
  });
}

// Values of bindings that may be computed again where they are used: none that were loaded, because
// the body may have stored there since.
Substitution repeatableBindings(Context &context, const Parallel &parallel) {
  Substitution repeatable;
  for (auto [var, value] : bodyBindings(context, parallel)) {
    if (!readsMemory(value))
      repeatable[var] = value;
  }
  return repeatable;
}

// The body for one thread: registers for fragment elements, and only one of the threads that hold
// copies writes to memory. Every statement joins the group of the parallel loop.
class BodyRewriter {
public:
  BodyRewriter(LowerContext &lower, const ThreadNest &nest, const Parallel &parallel,
               Writers writers)
      : lower_(lower), nest_(nest), writers_(writers),
        bindings_(repeatableBindings(lower.context(), parallel)) {}

  const Stmt *rewrite(const Stmt *stmt) {
    const Stmt *inside =
        mapChildren(lower_.context(), stmt, [&](const Stmt *child) { return rewrite(child); });
    const Stmt *onRegisters = mapExprs(lower_.context(), inside, [&](const Expr *expr) {
      return rewriteExpr(lower_.context(), expr, [&](const Expr *node) { return load(node); });
    });
    if (const auto *store = llvm::dyn_cast<Store>(onRegisters))
      onRegisters = storeToRegister(*store);
    const Stmt *grouped = withAnchor(onRegisters);
    const Expr *firstCopy = writers_ == Writers::FirstCopy ? nest_.isFirstCopy() : nullptr;
    if (!firstCopy || !writesMemory(lower_, grouped))
      return grouped;
    return lower_.context().make<If>(lower_.info(), firstCopy, grouped, nullptr);
  }

private:
  bool isFragment(BufferId id) { return lower_.buffer(id).scope == Scope::Fragment; }

  ExprList registerIndex(BufferId id, ExprList indices) {
    llvm::SmallVector<const Expr *> places;
    for (const Expr *index : indices)
      places.push_back(substitute(lower_.context(), index, bindings_));
    const Expr *number = nest_.registerOf(*lower_.buffer(id).layout, places);
    return lower_.context().copy<const Expr *>({number});
  }

  const Expr *load(const Expr *node) {
    const auto *load = llvm::dyn_cast<Load>(node);
    if (!load || !isFragment(load->buffer))
      return node;
    return lower_.context().make<Load>(load->dtype(), load->buffer, load->slot,
                                       registerIndex(load->buffer, load->indices));
  }

  const Stmt *storeToRegister(const Store &store) {
    if (!isFragment(store.buffer))
      return &store;
    return lower_.context().make<Store>(store.info(), store.buffer, store.slot,
                                        registerIndex(store.buffer, store.indices), store.value);
  }

  // flat table
  const Stmt *withAnchor(const Stmt *stmt) {
    Context &context = lower_.context();
    StmtInfo info = stmt->info();
    info.anchor = lower_.stmt().anchor();
    if (const auto *seq = llvm::dyn_cast<Seq>(stmt))
      return context.make<Seq>(info, seq->stmts);
    if (const auto *loop = llvm::dyn_cast<For>(stmt))
      return context.make<For>(info, loop->var, loop->min, loop->extent, loop->forKind, loop->body,
                               loop->pipeline);
    if (const auto *branch = llvm::dyn_cast<If>(stmt))
      return context.make<If>(info, branch->condition, branch->thenBody, branch->elseBody);
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      return context.make<Bind>(info, bind->var, bind->value);
    if (const auto *store = llvm::dyn_cast<Store>(stmt))
      return context.make<Store>(info, store->buffer, store->slot, store->indices, store->value);
    if (llvm::isa<Break>(stmt))
      return context.make<Break>(info);
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
      return context.make<OpStmt>(info, op->op, op->regions, op->args, op->attrs);
    return stmt;
  }

  LowerContext &lower_;
  const ThreadNest &nest_;
  Writers writers_;
  Substitution bindings_;
};

} // namespace

const Stmt *lowerElementwise(LowerContext &lower, const Parallel &parallel, Writers writers,
                             Copies copies) {
  std::optional<llvm::SmallVector<int64_t>> extents = constantExtents(parallel);
  if (!extents || !parallel.layout) {
    lower.pass().diagnostics.report(DiagId::ParallelExtentNotConstant, lower.stmt().span());
    return nullptr;
  }
  for (const FragmentAccess &access :
       fragmentAccesses(lower.context(), parallel, lower.function())) {
    const Layout &fragment = *lower.buffer(access.buffer).layout;
    std::string reason = whyNotHeld(access, fragment, *parallel.layout);
    if (reason.empty() && copies == Copies::Equal)
      reason = whyCopiesStale(access, fragment, *parallel.layout);
    if (!reason.empty())
      return lower.fail(access.buffer, reason);
  }
  bool isOfKernel = llvm::isa<Parallel>(lower.stmt());
  llvm::SmallVector<NestDim> dims;
  for (auto [var, extent] : llvm::zip_equal(parallel.vars, *extents))
    dims.push_back({var, extent, 1, isOfKernel});
  ThreadNest nest(lower, *parallel.layout, dims);
  return nest.wrap(BodyRewriter(lower, nest, parallel, writers).rewrite(parallel.body));
}

const Layout *planRuns(LowerContext &lower, const Parallel &parallel, int64_t widest) {
  llvm::SmallVector<int64_t> extents = *constantExtents(parallel);
  int64_t total = 1;
  for (int64_t extent : extents)
    total *= extent;
  int64_t run = extents.empty()
                    ? 1
                    : std::min(widest, vectorElements(lower.context(), parallel, lower.function(),
                                                      boundValuesOf(lower.function())));
  while (run > 1 && total / run < lower.threads())
    run /= 2;
  return planPartition(lower.context(), extents, run, lower.threads(), /*replicate=*/false);
}

const Stmt *lowerParallel(LowerContext &lower, const Parallel &parallel) {
  const Stmt *ahead = parallel.isAsync ? lowerGather(lower, parallel) : nullptr;
  return ahead ? ahead : lowerElementwise(lower, parallel);
}

} // namespace tilescope
