#include "core/analysis/path_facts.h"

#include "core/ir/expr_equal.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

void PathFacts::enter(const Stmt *parent, const Stmt *child) { push({parent, child}); }

void PathFacts::assume(const Expr *condition, bool holds) {
  push({nullptr, nullptr, condition, holds});
}

void PathFacts::leave() {
  if (affine_)
    affine_->forget(steps_.back().mark);
  steps_.pop_back();
}

bool PathFacts::isAssumed(const Expr *condition, bool holds) const {
  return llvm::any_of(steps_, [&](const Step &step) {
    const auto *branch = llvm::dyn_cast_if_present<If>(step.parent);
    if (branch)
      return (step.child == branch->thenBody) == holds && isSameExpr(branch->condition, condition);
    return step.condition && step.holds == holds && isSameExpr(step.condition, condition);
  });
}

IrAffine &PathFacts::affine() {
  if (!affine_) {
    affine_.emplace(context_, function_);
    for (Step &step : steps_)
      apply(step);
  }
  return *affine_;
}

void PathFacts::push(const Step &step) {
  steps_.push_back(step);
  if (affine_)
    apply(steps_.back());
}

void PathFacts::apply(Step &step) {
  step.mark = step.parent ? assumeInside(*affine_, step.parent, step.child)
                          : affine_->assume(step.condition, step.holds, FactScope::Statements);
}

} // namespace tilescope
