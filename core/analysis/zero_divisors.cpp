#include "core/analysis/zero_divisors.h"

#include "core/analysis/lane_arithmetic.h"
#include "core/analysis/path_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace tilescope {

namespace {

// Combinations of values of variables that one division is looked at with.
constexpr int64_t MaxCombinations = 1 << 16;

// What runs once for each of its values, whatever the others are.
struct RunVariable {
  const Var *var = nullptr;
  int64_t min = 0;
  int64_t extent = 0;
};

struct TakenCondition {
  const Expr *expr = nullptr;
  bool holds = true;
};

bool isIntegerDivision(const Expr *expr) {
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  return binary && (binary->op == BinaryOp::FloorDiv || binary->op == BinaryOp::FloorMod) &&
         isAffineType(binary->dtype()) && constantValue(binary->rhs).value_or(0) == 0;
}

bool divides(const Stmt *stmt) {
  bool found = false;
  walk(stmt, [&](const Stmt *inner) {
    forEachExpr(inner, [&](const Expr *expr) {
      walk(expr, [&](const Expr *part) { found |= isIntegerDivision(part); });
    });
    return !found;
  });
  return found;
}

class DivisionWalk {
public:
  DivisionWalk(Context &context, const Function &function)
      : context_(context), builder_(context), facts_(context, function) {}

  std::vector<ZeroDivisor> run(const Stmt *body) {
    visit(body);
    return std::move(found_);
  }

private:
  void visit(const Stmt *stmt) {
    stmt_ = stmt;
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt); bind && !readsMemory(bind->value))
      values_[bind->var] = substitute(context_, bind->value, values_);
    forEachExpr(stmt, [&](const Expr *expr) { visit(expr); });
    size_t unsure = unsure_, variables = variables_.size();
    bool wasInNest = isInNest_;
    addVariables(stmt);
    forEachChild(stmt, [&](const Stmt *child) { visitChild(stmt, child); });
    variables_.resize(variables);
    unsure_ = unsure;
    isInNest_ = wasInNest;
  }

  void visitChild(const Stmt *parent, const Stmt *child) {
    const auto *branch = llvm::dyn_cast<If>(parent);
    if ((branch || llvm::isa<For>(parent)) && neverRuns(facts_.affine(), parent, child))
      return;
    facts_.enter(parent, child);
    if (branch)
      conditions_.push_back({branch->condition, child == branch->thenBody});
    visit(child);
    if (branch)
      conditions_.pop_back();
    facts_.leave();
  }

  void addVariables(const Stmt *stmt) {
    if (const auto *loop = llvm::dyn_cast<For>(stmt))
      addLoop(loop->var, loop->min, loop->extent);
    if (const auto *nest = llvm::dyn_cast<Parallel>(stmt)) {
      isInNest_ = true;
      for (auto [var, extent] : llvm::zip(nest->vars, nest->extents))
        addLoop(var, builder_.integer(0, var->dtype()), extent);
    }
    const auto *launch = llvm::dyn_cast<Launch>(stmt);
    if (!launch)
      return;
    for (auto [var, extent] : llvm::zip(launch->blockVars, launch->gridExtents))
      variables_.push_back({var, 0, std::max<int64_t>(constantValue(extent).value_or(1), 1)});
    threadVar_ = launch->threadVar;
    variables_.push_back({launch->threadVar, 0, launch->threads});
  }

  void addLoop(const Var *var, const Expr *min, const Expr *extent) {
    std::optional<int64_t> first = constantValue(min), count = constantValue(extent);
    if (first && count && *count > 0)
      variables_.push_back({var, *first, *count});
    else
      ++unsure_;
  }

  // --- expressions, each under the conditions on which it is evaluated ---

  void visit(const Expr *expr) {
    if (const auto *select = llvm::dyn_cast<Select>(expr)) {
      visit(select->condition);
      visitUnder({select->condition, true}, select->whenTrue);
      visitUnder({select->condition, false}, select->whenFalse);
      return;
    }
    const auto *binary = llvm::dyn_cast<Binary>(expr);
    if (binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or)) {
      visit(binary->lhs);
      visitUnder({binary->lhs, binary->op == BinaryOp::And}, binary->rhs);
      return;
    }
    forEachChild(expr, [&](const Expr *child) { visit(child); });
    if (isIntegerDivision(expr))
      judge(binary->rhs);
  }

  void visitUnder(TakenCondition taken, const Expr *expr) {
    if (facts_.affine().prove(taken.expr) == (taken.holds ? Proof::False : Proof::True))
      return;
    conditions_.push_back(taken);
    facts_.assume(taken.expr, taken.holds);
    visit(expr);
    facts_.leave();
    conditions_.pop_back();
  }

  // --- one division ---

  void judge(const Expr *divisor) {
    if (isAlwaysZero(divisor))
      found_.push_back({stmt_, divisor, {}});
    else if (unsure_ == 0)
      findWitness(divisor);
  }

  // Where conditions contradict each other everything can be proven, and nobody gets there.
  bool isAlwaysZero(const Expr *divisor) {
    const Expr *zero = builder_.integer(0, divisor->dtype());
    IrAffine &affine = facts_.affine();
    return affine.prove(builder_.binary(BinaryOp::Equal, divisor, zero)) == Proof::True &&
           affine.prove(builder_.less(zero, divisor)) != Proof::True;
  }

  // Values of the variables for which all conditions hold and the divisor is 0.
  void findWitness(const Expr *divisor) {
    llvm::SmallSetVector<const Var *, 8> used;
    auto note = [&](const Expr *expr) {
      const Expr *value = substitute(context_, expr, values_);
      walk(value, [&](const Expr *part) {
        if (const auto *var = llvm::dyn_cast<Var>(part))
          used.insert(var);
      });
      return value;
    };
    const Expr *value = note(divisor);
    llvm::SmallVector<TakenCondition> conditions;
    for (const TakenCondition &taken : conditions_)
      conditions.push_back({note(taken.expr), taken.holds});
    LaneArithmetic lanes;
    std::vector<RunVariable> run = runVariables(used.getArrayRef());
    if (!bindCombinations(lanes, run))
      return;
    Lanes meets = lanes.combine(BinaryOp::Equal, lanes.evaluate(value), {0});
    for (const TakenCondition &taken : conditions) {
      Lanes holds = lanes.combine(taken.holds ? BinaryOp::NotEqual : BinaryOp::Equal,
                                  lanes.evaluate(taken.expr), {0});
      meets = lanes.combine(BinaryOp::And, meets, holds);
    }
    const auto *found =
        llvm::find_if(llvm::ArrayRef(meets), [](int64_t lane) { return lane != 0; });
    if (found != llvm::ArrayRef(meets).end())
      reportAt(divisor, run, found - llvm::ArrayRef(meets).begin());
  }

  std::vector<RunVariable> runVariables(llvm::ArrayRef<const Var *> used) const {
    std::vector<RunVariable> run;
    for (const RunVariable &variable : variables_)
      if (llvm::is_contained(used, variable.var) && (!isInNest_ || variable.var != threadVar_))
        run.push_back(variable);
    return run;
  }

  // Binds each to its value in each combination, the last the fastest. False: there are too many.
  static bool bindCombinations(LaneArithmetic &lanes, llvm::ArrayRef<RunVariable> run) {
    int64_t count = 1;
    for (const RunVariable &variable : run) {
      if (variable.extent > MaxCombinations / count)
        return false;
      count *= variable.extent;
    }
    int64_t inner = 1;
    for (const RunVariable &variable : llvm::reverse(run)) {
      Lanes values(static_cast<size_t>(count));
      for (int64_t at = 0; at != count; ++at)
        values[static_cast<size_t>(at)] = variable.min + at / inner % variable.extent;
      lanes.bind(variable.var, std::move(values));
      inner *= variable.extent;
    }
    return true;
  }

  void reportAt(const Expr *divisor, llvm::ArrayRef<RunVariable> run, int64_t combination) {
    ZeroDivisor made{stmt_, divisor, {}};
    for (const RunVariable &variable : llvm::reverse(run)) {
      made.where.insert(made.where.begin(),
                        {variable.var, variable.min + combination % variable.extent});
      combination /= variable.extent;
    }
    found_.push_back(std::move(made));
  }

  Context &context_;
  Builder builder_;
  PathFacts facts_;
  const Stmt *stmt_ = nullptr;
  Substitution values_; // of names so far
  std::vector<RunVariable> variables_;
  std::vector<TakenCondition> conditions_;
  const Var *threadVar_ = nullptr;
  bool isInNest_ = false; // who runs which iteration is not decided
  size_t unsure_ = 0;     // loops around that need not run
  std::vector<ZeroDivisor> found_;
};

} // namespace

std::vector<ZeroDivisor> findZeroDivisors(Context &context, const Function &function) {
  if (!divides(function.body))
    return {};
  return DivisionWalk(context, function).run(function.body);
}

} // namespace tilescope
