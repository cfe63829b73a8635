// What is known at the place that a walk has come to: the conditions around it, loops that have
// iterations, values that the walk itself chose. Gathered at no cost, and made into affine facts
// when somebody first asks.
#pragma once

#include "core/analysis/ir_affine.h"

namespace tilescope {

class PathFacts {
public:
  PathFacts(Context &context, const Function &function) : context_(context), function_(function) {}

  // Under `parent`, in `child`; or with a condition taken as true or false. Until `leave`, which
  // undoes the last of them.
  void enter(const Stmt *parent, const Stmt *child);
  void assume(const Expr *condition, bool holds);
  void leave();

  // Whether this very condition was taken as true (or as false), whatever it is made of.
  bool isAssumed(const Expr *condition, bool holds) const;

  Context &context() { return context_; }
  const Function &function() const { return function_; }
  // With all facts of the path; keep no reference past `enter`, `assume` and `leave`.
  IrAffine &affine();

private:
  struct Step {
    const Stmt *parent = nullptr; // null: a condition
    const Stmt *child = nullptr;
    const Expr *condition = nullptr;
    bool holds = true;
    size_t mark = 0; // of the facts before it
  };

  void push(const Step &step);
  void apply(Step &step);

  Context &context_;
  const Function &function_;
  std::vector<Step> steps_;
  std::optional<IrAffine> affine_; // made when first asked for
};

} // namespace tilescope
