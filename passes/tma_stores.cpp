#include "passes/tma_stores.h"

#include "core/analysis/select_tma.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// From shared memory to a tensor; null: the statement is no such copy.
const OpStmt *asStore(const Function &function, const Stmt *stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  bool isStore = op && op->opInfo().work == OpWork::Move && op->opInfo().has(Attr::Prefer) &&
                 isShared(function.buffer(op->regions[0].buffer).scope) &&
                 function.buffer(op->regions[1].buffer).scope == Scope::Global;
  return isStore ? op : nullptr;
}

// In the order in which they stand.
llvm::SmallVector<const OpStmt *> storesOf(const Function &function, StoresOf stores) {
  llvm::SmallVector<const OpStmt *> found;
  auto find = [&](const Stmt *body) {
    walk(body, [&](const Stmt *stmt) {
      if (const OpStmt *copy = asStore(function, stmt))
        found.push_back(copy);
      return true;
    });
  };
  if (stores == StoresOf::All) {
    find(function.body);
    return found;
  }
  walk(function.body, [&](const Stmt *stmt) {
    const auto *role = llvm::dyn_cast<Role>(stmt);
    if (role)
      find(role->thenBody);
    return !role;
  });
  return found;
}

const Stmt *byTma(Context &context, const OpStmt &copy) {
  llvm::SmallVector<int64_t> attrs(copy.attrs);
  attrs[copy.opInfo().indexOf(Attr::Prefer)] = static_cast<int64_t>(CopyInstruction::Tma);
  return context.make<OpStmt>(copy.info(), copy.op, copy.regions, copy.args,
                              context.copy<int64_t>(attrs));
}

} // namespace

void remarkNotStored(const Function &function, const OpStmt &copy, llvm::StringRef reason,
                     RemarkSink &remarks) {
  const Buffer &tile = function.buffer(copy.regions[0].buffer);
  const Buffer &tensor = function.buffer(copy.regions[1].buffer);
  emitRemark(remarks, RemarkId::CopyNotByTma, {copy.id(), copy.span(), {tile.id, tensor.id}},
             tile.name, tensor.name, reason);
}

MarkedStmts withTmaStores(const Function &function, PassContext &pass, StoresOf stores) {
  MarkedStmts result;
  for (const OpStmt *copy : storesOf(function, stores)) {
    std::string reason = whyNotStoredByTma(pass.context, function, pass.target, *copy);
    if (reason.empty())
      result.chosen.push_back(copy);
    else
      remarkNotStored(function, *copy, reason, pass.remarks);
  }
  if (result.chosen.empty())
    return result;
  const Stmt *body =
      rewriteStmt(pass.context, function.body, [&](const Stmt *stmt) -> const Stmt * {
        const auto *op = llvm::dyn_cast<OpStmt>(stmt);
        return op && llvm::is_contained(result.chosen, op) ? byTma(pass.context, *op) : stmt;
      });
  result.function = withBody(pass.context, function, body);
  return result;
}

} // namespace tilescope
