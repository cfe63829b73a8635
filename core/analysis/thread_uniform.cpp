#include "core/analysis/thread_uniform.h"

#include "core/ir/visit.h"

namespace tilescope {

ThreadUniform::ThreadUniform(const Function &function) : function_(function) {
  // Variables are bound before they are used, so one preorder walk sees all.
  walk(function.body, [&](const Stmt *stmt) {
    learn(*stmt);
    return true;
  });
}

void ThreadUniform::learn(const Stmt &stmt) {
  if (const auto *launch = llvm::dyn_cast<Launch>(&stmt))
    divergent_.insert(launch->threadVar);
  if (const auto *nest = llvm::dyn_cast<Parallel>(&stmt))
    divergent_.insert(nest->vars.begin(), nest->vars.end());
  if (const auto *bind = llvm::dyn_cast<Bind>(&stmt); bind && !isUniform(bind->value))
    divergent_.insert(bind->var);
  if (const auto *loop = llvm::dyn_cast<For>(&stmt); loop && !isUniform(*loop))
    divergent_.insert(loop->var);
}

bool ThreadUniform::isUniform(const Expr *expr) const {
  bool agreed = true;
  walk(expr, [&](const Expr *part) {
    if (const auto *var = llvm::dyn_cast<Var>(part))
      agreed &= !divergent_.contains(var);
    if (const auto *load = llvm::dyn_cast<Load>(part)) {
      Scope scope = function_.buffer(load->buffer).scope;
      agreed &= scope == Scope::Global || scope == Scope::Shared || scope == Scope::SharedStatic;
    }
  });
  return agreed;
}

bool ThreadUniform::isUniform(const Stmt &stmt) const {
  if (const auto *branch = llvm::dyn_cast<If>(&stmt))
    return isUniform(branch->condition);
  if (const auto *loop = llvm::dyn_cast<For>(&stmt))
    return isUniform(loop->min) && isUniform(loop->extent);
  return true;
}

} // namespace tilescope
