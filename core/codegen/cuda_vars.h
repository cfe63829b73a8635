// The variables of a device function where the printer stands: their C++ names, which of them have
// 64 bits, and the values that they take.
#pragma once

#include "core/codegen/cuda_names.h"
#include "core/codegen/index_bounds.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <utility>
#include <vector>

namespace tilescope {

class CudaVars {
public:
  explicit CudaVars(CudaNameScope &names) : names_(names) {}

  // Brings the variable into scope and returns its name. It has 64 bits if its type or the
  // interval asks for them.
  std::string declare(const Var *var, Interval interval);
  void setWide(const Var *var, bool wide);
  // Behind the loop of the variable.
  void leave(const Var *var) { varNames_.erase(var->id.value); }

  // Expressions that C++ variables hold the values of, below 32 bits, by their names.
  using Held = std::vector<std::pair<const Expr *, std::string>>;
  void hold(const Expr *expr, const std::string &name) { held_.emplace_back(expr, name); }
  const Held &held() const { return held_; }
  // Puts back what was held in front of a block.
  void setHeld(Held held) { held_ = std::move(held); }
  // The variable that holds the expression; null: none does.
  const std::string *holderOf(const Expr *expr) const;

  const std::string &nameOf(const Var *var) const;
  bool isWide(const Var *var) const { return wideVars_.contains(var->id.value); }
  // Whether the expression can be computed here from variables alone.
  bool inScope(const Expr *expr) const;
  const IndexBounds &bounds() const { return bounds_; }
  // What a variable can be from here on.
  void setRange(const Var *var, Interval interval) { bounds_.set(var, interval); }

private:
  CudaNameScope &names_;
  IndexBounds bounds_;
  llvm::DenseMap<uint32_t, std::string> varNames_;
  llvm::DenseSet<uint32_t> wideVars_;
  Held held_;
};

} // namespace tilescope
