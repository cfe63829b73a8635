#include "passes/matrix_units.h"

#include "core/analysis/select_wgmma.h"
#include "core/ir/visit.h"

namespace tilescope {

namespace {

bool hasUnit(const Stmt *stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  return op && op->opInfo().has(Attr::Unit);
}

const Stmt *byWarpGroup(Context &context, const OpStmt &product) {
  llvm::SmallVector<int64_t> attrs(product.attrs);
  attrs[product.opInfo().indexOf(Attr::Unit)] = static_cast<int64_t>(MatrixUnit::WarpGroup);
  return context.make<OpStmt>(product.info(), product.op, product.regions, product.args,
                              context.copy<int64_t>(attrs));
}

} // namespace

WithWarpGroups withWarpGroups(const Function &function, PassContext &pass) {
  WithWarpGroups result;
  auto ask = [&](const Stmt *stmt, int64_t threads) {
    if (!result.reason.empty() || !hasUnit(stmt))
      return;
    result.stmt = stmt;
    result.reason = selectWgmma(*llvm::cast<OpStmt>(stmt), function, pass.target, threads).reason;
  };
  int64_t threads = 0;
  walk(function.body, [&](const Stmt *stmt) {
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
      threads = launch->threads;
    const auto *role = llvm::dyn_cast<Role>(stmt);
    if (role)
      walk(role->thenBody, [&](const Stmt *inside) {
        ask(inside, role->threads);
        return true;
      });
    else if (threads != 0)
      ask(stmt, threads);
    return !role;
  });
  if (!result.reason.empty() || !result.stmt)
    return result;
  const Stmt *body = rewriteStmt(pass.context, function.body, [&](const Stmt *stmt) {
    return hasUnit(stmt) ? byWarpGroup(pass.context, *llvm::cast<OpStmt>(stmt)) : stmt;
  });
  result.function = withBody(pass.context, function, body);
  return result;
}

} // namespace tilescope
