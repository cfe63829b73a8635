#include "core/analysis/stmt_places.h"

#include "core/ir/content_key.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

void forEachWritten(const Stmt &stmt, llvm::function_ref<void(BufferId)> visit) {
  if (const auto *store = llvm::dyn_cast<Store>(&stmt))
    visit(store->buffer);
  if (const auto *op = llvm::dyn_cast<OpStmt>(&stmt))
    for (auto [index, region] : llvm::enumerate(op->regions))
      if (op->operand(index).effect != Effect::Read)
        visit(region.buffer);
}

const Expr *accessPredicate(const Stmt &stmt, const Buffer &buffer, Effect effect) {
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  bool isLeftAlone = effect == Effect::Read || buffer.scope == Scope::Global;
  return op && isLeftAlone ? predicateOf(*op) : nullptr;
}

StmtPlaces::StmtPlaces(const Function &function, const ThreadUniform &uniform)
    : function_(function), uniform_(uniform) {
  walk(function.body, [&](const Stmt *stmt) {
    forEachChild(stmt, [&](const Stmt *child) { parents_[child] = stmt; });
    addBound(*stmt);
    forEachWritten(*stmt, [&](BufferId buffer) { written_.insert(buffer.value); });
    return true;
  });
}

void StmtPlaces::addBound(const Stmt &stmt) {
  if (const auto *bind = llvm::dyn_cast<Bind>(&stmt))
    binds_[bind->var] = bind;
  if (const auto *loop = llvm::dyn_cast<For>(&stmt))
    varying_.insert(loop->var);
  if (const auto *nest = llvm::dyn_cast<Parallel>(&stmt))
    varying_.insert(nest->vars.begin(), nest->vars.end());
  if (const auto *launch = llvm::dyn_cast<Launch>(&stmt))
    varying_.insert(launch->threadVar);
}

bool StmtPlaces::isRegister(BufferId buffer) const {
  Scope scope = function_.buffer(buffer).scope;
  return scope == Scope::Local || scope == Scope::LocalVar;
}

bool StmtPlaces::isGlobal(BufferId buffer) const {
  return function_.buffer(buffer).scope == Scope::Global;
}

const StmtPlaces &computeStmtPlaces(Context &context, const Function &function) {
  return *context.cached<const StmtPlaces *>({&function}, [&] {
    std::vector<CacheKeyPart> key = contentKey(function);
    const ThreadUniform &uniform =
        context.cached<ThreadUniform>(key, [&] { return ThreadUniform(function); });
    return &context.cached<StmtPlaces>(key, [&] { return StmtPlaces(function, uniform); });
  });
}

} // namespace tilescope
