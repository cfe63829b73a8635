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

const Stmt *withAttr(Context &context, const OpStmt &op, Attr attr, int64_t value) {
  llvm::SmallVector<int64_t> attrs(op.attrs);
  attrs[op.opInfo().indexOf(attr)] = value;
  return context.make<OpStmt>(op.info(), op.op, op.regions, op.args, context.copy<int64_t>(attrs));
}

const Stmt *byTma(Context &context, const OpStmt &copy) {
  return withAttr(context, copy, Attr::Prefer, static_cast<int64_t>(CopyInstruction::Tma));
}

std::vector<const OpStmt *> reductionsOf(const Function &function) {
  std::vector<const OpStmt *> found;
  walk(function.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (op && isReducedByTma(*op))
      found.push_back(op);
    return true;
  });
  return found;
}

const Function *withoutTma(const Function &function, Context &context,
                           llvm::ArrayRef<const OpStmt *> refused) {
  const Stmt *body = rewriteStmt(context, function.body, [&](const Stmt *stmt) -> const Stmt * {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    return op && llvm::is_contained(refused, op) ? withAttr(context, *op, Attr::UseTma, 0) : stmt;
  });
  return withBody(context, function, body);
}

void remarkNotByTma(const Buffer &tile, const Buffer &tensor, const OpStmt &op,
                    llvm::StringRef reason, RemarkSink &remarks) {
  emitRemark(remarks, RemarkId::CopyNotByTma, {op.id(), op.span(), {tile.id, tensor.id}}, tile.name,
             tensor.name, reason);
}

} // namespace

void remarkNotStored(const Function &function, const OpStmt &copy, llvm::StringRef reason,
                     RemarkSink &remarks) {
  remarkNotByTma(function.buffer(copy.regions[0].buffer), function.buffer(copy.regions[1].buffer),
                 copy, reason, remarks);
}

void remarkNotReduced(const Function &function, const OpStmt &atomic, llvm::StringRef reason,
                      RemarkSink &remarks) {
  remarkNotByTma(function.buffer(atomic.regions[1].buffer),
                 function.buffer(atomic.regions[0].buffer), atomic, reason, remarks);
}

const Function *withoutTmaReductions(const Function &function, Context &context) {
  std::vector<const OpStmt *> all = reductionsOf(function);
  return all.empty() ? &function : withoutTma(function, context, all);
}

// One that is refused may be what another one of its tensor is refused for.
MarkedStmts withTmaReductions(const Function &function, PassContext &pass) {
  const Function *asking = &function;
  while (true) {
    std::vector<const OpStmt *> refused;
    for (const OpStmt *atomic : reductionsOf(*asking)) {
      std::string reason = whyNotReducedByTma(pass.context, *asking, pass.target, *atomic);
      if (reason.empty())
        continue;
      refused.push_back(atomic);
      remarkNotReduced(*asking, *atomic, reason, pass.remarks);
    }
    if (refused.empty())
      break;
    asking = withoutTma(*asking, pass.context, refused);
  }
  MarkedStmts result{nullptr, reductionsOf(*asking)};
  result.function = result.chosen.empty() ? nullptr : asking;
  return result;
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
