#include "passes/loop_runs.h"

#include "core/analysis/vector_access.h"
#include "core/ir/build.h"

namespace tilescope {

static int64_t runOf(int64_t extent, int64_t longest) {
  int64_t run = 1;
  while (run * 2 <= longest && extent % (run * 2) == 0)
    run *= 2;
  return run;
}

static const Stmt *inRuns(Context &context, const For &loop, int64_t extent, int64_t length) {
  Builder builder(context);
  DType dtype = loop.var->dtype();
  const Var *run = builder.var("run", dtype);
  const Var *element = builder.var(loop.var->name, dtype);
  Substitution place;
  place[loop.var] = builder.add(builder.mul(run, builder.integer(length, dtype)), element);
  const Stmt *body = rewriteStmt(context, loop.body, [&](const Stmt *stmt) {
    return mapExprs(context, stmt,
                    [&](const Expr *expr) { return substitute(context, expr, place); });
  });
  const Stmt *inner =
      context.make<For>(builder.lowered(loop), element, builder.integer(0, dtype),
                        builder.integer(length, dtype), loop.forKind, body, loop.pipeline);
  return context.make<For>(loop.info(), run, builder.integer(0, dtype),
                           builder.integer(extent / length, dtype), ForKind::Unrolled, inner,
                           loop.pipeline);
}

const Function *withRuns(Context &context, const Function &function, int64_t longest) {
  IrAffine affine(context, function);
  BoundValues bound = boundValuesOf(function);
  const Stmt *body = rewriteStmt(context, function.body, [&](const Stmt *stmt) -> const Stmt * {
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (!loop || (loop->forKind != ForKind::Unrolled && loop->forKind != ForKind::Vectorized))
      return stmt;
    std::optional<StoreLoop> stores = storeLoopOf(context, *loop);
    if (!stores || stores->extent <= longest)
      return stmt;
    WideAccesses wide(affine, function, bound, *stores);
    int64_t length = runOf(stores->extent, longest);
    bool isWide = length > 1 && wide.hasRuns() && wide.whyNone().empty();
    return isWide ? inRuns(context, *loop, stores->extent, length) : stmt;
  });
  return withBody(context, function, body);
}

} // namespace tilescope
