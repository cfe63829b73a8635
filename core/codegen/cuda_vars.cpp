#include "core/codegen/cuda_vars.h"

#include "core/ir/expr_equal.h"
#include "core/ir/visit.h"

namespace tilescope {

std::string CudaVars::declare(const Var *var, Interval interval) {
  std::string name = names_.declare(var->name);
  varNames_[var->id.value] = name;
  bounds_.set(var, interval);
  bool isIndex = var->dtype().isInteger() && var->dtype().bits >= 32;
  if (isIndex && (var->dtype().bits == 64 || !interval.fitsInt32()) && !var->dtype().isUnsigned())
    wideVars_.insert(var->id.value);
  return name;
}

void CudaVars::setWide(const Var *var, bool wide) {
  if (wide)
    wideVars_.insert(var->id.value);
  else
    wideVars_.erase(var->id.value);
}

const std::string *CudaVars::holderOf(const Expr *expr) const {
  for (const auto &[held, name] : held_)
    if (isSameExpr(held, expr))
      return &name;
  return nullptr;
}

const std::string &CudaVars::nameOf(const Var *var) const {
  auto name = varNames_.find(var->id.value);
  assert(name != varNames_.end() && "variable is used outside its scope");
  return name->second;
}

bool CudaVars::inScope(const Expr *expr) const {
  bool known = true;
  walk(expr, [&](const Expr *part) {
    if (const auto *var = llvm::dyn_cast<Var>(part))
      known &= varNames_.contains(var->id.value);
    if (llvm::isa<Load>(part))
      known = false;
  });
  return known;
}

} // namespace tilescope
