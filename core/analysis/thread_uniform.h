// Which expressions all threads of a block agree on. A barrier may stand only where every enclosing
// condition and trip count is of that kind.
//
//     if k + 2 < trips:        agreed
//     if tx < 32:              not
//     for i in serial(n[tx]):  not, and neither is anything that depends on i
#pragma once

#include "core/ir/module.h"

#include "llvm/ADT/DenseSet.h"

namespace tilescope {

class ThreadUniform {
public:
  explicit ThreadUniform(const Function &function);

  // Memory that threads share is taken to be read where no thread is writing it.
  bool isUniform(const Expr *expr) const;
  // The condition of an if, the range of a loop; true for any other statement.
  bool isUniform(const Stmt &stmt) const;

private:
  void learn(const Stmt &stmt);

  const Function &function_;
  llvm::DenseSet<const Var *> divergent_;
};

} // namespace tilescope
