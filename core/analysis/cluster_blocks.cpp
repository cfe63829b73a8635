#include "core/analysis/cluster_blocks.h"

#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

// Ids that are new are no others of the function.
static void reserveIds(Context &context, const Function &function) {
  for (const Param &param : function.params)
    if (param.var)
      context.reserve(param.var->id);
  walk(function.body, [&](const Stmt *stmt) {
    context.reserve(stmt->id());
    for (const Var *var : varsBoundBy(stmt))
      context.reserve(var->id);
    return true;
  });
}

ClusterBlocks::ClusterBlocks(const Function &function, const Launch &launch) {
  reserveIds(context_, function);
  walk(launch.body, [&](const Stmt *stmt) {
    originals_.try_emplace(stmt->id().value, stmt);
    return true;
  });
  Builder ir(context_);
  Substitution places;
  llvm::SmallVector<const Var *, 3> vars;
  llvm::SmallVector<const Expr *, 3> extents;
  llvm::SmallVector<std::pair<const Var *, const Expr *>, 3> ranks;
  for (auto [block, extent, along] :
       llvm::zip_first(launch.blockVars, launch.gridExtents, launch.cluster)) {
    DType dtype = block->dtype();
    const Var *cluster = ir.var(block->name, dtype), *rank = ir.var(block->name, dtype);
    const Expr *blocks = ir.integer(along, dtype);
    vars.push_back(cluster);
    extents.push_back(ir.floorDiv(extent, blocks));
    ranks.push_back({rank, blocks});
    places[block] = ir.add(ir.mul(cluster, blocks), rank);
  }
  const Stmt *body = rewriteStmt(context_, launch.body, [&](const Stmt *stmt) {
    return mapExprs(context_, stmt,
                    [&](const Expr *expr) { return substitute(context_, expr, places); });
  });
  for (auto [rank, blocks] : ranks)
    body = context_.make<For>(ir.fresh(launch.span()), rank, ir.integer(0, rank->dtype()), blocks,
                              ForKind::Serial, body);
  launch_ = context_.make<Launch>(launch.info(), context_.copy<const Var *>(vars),
                                  context_.copy<const Expr *>(extents), launch.threadVar,
                                  launch.threads, body);
  function_ =
      withBody(context_, function, rewriteStmt(context_, function.body, [&](const Stmt *stmt) {
                 return stmt == &launch ? launch_ : stmt;
               }));
}

} // namespace tilescope
