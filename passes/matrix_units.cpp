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
  const Launch *launch = nullptr;
  walk(function.body, [&](const Stmt *stmt) {
    if (const auto *found = llvm::dyn_cast<Launch>(stmt))
      launch = found;
    bool isAsked = result.reason.empty() && launch && hasUnit(stmt);
    if (isAsked) {
      result.stmt = stmt;
      result.reason =
          selectWgmma(*llvm::cast<OpStmt>(stmt), function, pass.target, launch->threads).reason;
    }
    return true;
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
