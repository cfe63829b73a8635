#include "core/analysis/execution_count.h"

#include "core/analysis/lane_arithmetic.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <numeric>

namespace tilescope {

namespace {

// Bit i: the loop i of the place.
using LoopSet = uint64_t;
constexpr size_t MostLoops = 64;

// An expression with what must be bound before it can be evaluated.
struct Term {
  const Expr *expr = nullptr;
  LoopSet loops = 0;
  llvm::SmallVector<const Var *, 4> binds; // each after those that it depends on
};

struct Condition {
  Term term;
  bool holds = true;
};

using Conditions = llvm::SmallVector<const Condition *>;

bool isZero(const Lanes &lanes) {
  return !lanes.empty() && llvm::all_of(lanes, [](int64_t value) { return value == 0; });
}

class ExecutionCounter {
public:
  ExecutionCounter(const ExecutionPlace &place, const StmtPlaces &places)
      : place_(place), places_(places) {}

  std::optional<int64_t> count();

private:
  Term termOf(const Expr *expr) const;
  void addVars(const Expr *expr, Term &term) const;
  void addCondition(const Expr *expr, bool holds);
  Lanes evaluate(const Term &term);
  Lanes countLoops(LoopSet loops, const Conditions &conditions);
  LoopSet connectedLoops(LoopSet loops, const Conditions &conditions) const;
  size_t loopToRun(LoopSet loops, const Conditions &conditions) const;
  Lanes countConnected(LoopSet loops, const Conditions &conditions);

  const ExecutionPlace &place_;
  const StmtPlaces &places_;
  llvm::SmallVector<Term> mins_;    // of each loop; without an expression: 0
  llvm::SmallVector<Term> extents_; // of each loop
  std::vector<Condition> conditions_;
  LaneArithmetic lanes_;
};

void ExecutionCounter::addVars(const Expr *expr, Term &term) const {
  walk(expr, [&](const Expr *part) {
    const auto *var = llvm::dyn_cast<Var>(part);
    if (!var)
      return;
    for (const auto &[index, loop] : llvm::enumerate(place_.loops))
      if (loop.var == var)
        term.loops |= LoopSet{1} << index;
    const Bind *bind = places_.bindOf(var);
    if (!bind || llvm::is_contained(term.binds, var))
      return;
    addVars(bind->value, term);
    term.binds.push_back(var);
  });
}

Term ExecutionCounter::termOf(const Expr *expr) const {
  Term term;
  term.expr = expr;
  if (expr)
    addVars(expr, term);
  return term;
}

// Parts of a conjunction may depend on different loops.
void ExecutionCounter::addCondition(const Expr *expr, bool holds) {
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  if (binary && binary->op == (holds ? BinaryOp::And : BinaryOp::Or)) {
    addCondition(binary->lhs, holds);
    addCondition(binary->rhs, holds);
    return;
  }
  conditions_.push_back({termOf(expr), holds});
}

Lanes ExecutionCounter::evaluate(const Term &term) {
  if (!term.expr)
    return {0};
  for (const Var *var : term.binds)
    lanes_.bind(var, lanes_.evaluate(places_.bindOf(var)->value));
  return lanes_.evaluate(term.expr);
}

// The executions of each thread; empty: unknown. Other loops have their values.
Lanes ExecutionCounter::countLoops(LoopSet loops, const Conditions &conditions) {
  Lanes all{1};
  Conditions open;
  for (const Condition *condition : conditions) {
    if (condition->term.loops & loops) {
      open.push_back(condition);
      continue;
    }
    Lanes value = evaluate(condition->term);
    all = lanes_.combine(
        BinaryOp::Mul, all,
        lanes_.combine(condition->holds ? BinaryOp::NotEqual : BinaryOp::Equal, value, {0}));
    if (all.empty() || isZero(all))
      return all;
  }
  while (loops != 0) {
    LoopSet connected = connectedLoops(loops, open);
    Conditions about;
    llvm::copy_if(open, std::back_inserter(about), [&](const Condition *condition) {
      return (condition->term.loops & connected) != 0;
    });
    all = lanes_.combine(BinaryOp::Mul, all, countConnected(connected, about));
    loops &= ~connected;
  }
  return all;
}

// The first of the loops, with all that conditions or ranges tie to it.
LoopSet ExecutionCounter::connectedLoops(LoopSet loops, const Conditions &conditions) const {
  LoopSet connected = loops & -loops, before = 0;
  while (connected != before) {
    before = connected;
    auto connect = [&](LoopSet tied) {
      if (tied & connected)
        connected |= tied & loops;
    };
    for (const Condition *condition : conditions)
      connect(condition->term.loops);
    for (size_t loop = 0; loop != extents_.size(); ++loop)
      if (LoopSet own = LoopSet{1} << loop; own & loops)
        connect(own | mins_[loop].loops | extents_[loop].loops);
  }
  return connected;
}

// Among those whose range is known the one that most depends on: the rest then falls apart.
size_t ExecutionCounter::loopToRun(LoopSet loops, const Conditions &conditions) const {
  size_t best = 0;
  int64_t most = -1;
  for (size_t loop = 0; loop != extents_.size(); ++loop) {
    LoopSet own = LoopSet{1} << loop;
    if (!(own & loops) || ((mins_[loop].loops | extents_[loop].loops) & loops))
      continue;
    int64_t uses = llvm::count_if(
        conditions, [&](const Condition *condition) { return (condition->term.loops & own) != 0; });
    for (size_t inner = 0; inner != extents_.size(); ++inner)
      uses += ((mins_[inner].loops | extents_[inner].loops) & own) != 0;
    if (uses > most) {
      most = uses;
      best = loop;
    }
  }
  return best;
}

Lanes ExecutionCounter::countConnected(LoopSet loops, const Conditions &conditions) {
  size_t loop = loopToRun(loops, conditions);
  LoopSet own = LoopSet{1} << loop;
  const Var *var = place_.loops[loop].var;
  Lanes extent = lanes_.combine(BinaryOp::Max, evaluate(extents_[loop]), {0});
  if (loops == own && conditions.empty())
    return extent;
  Lanes min = evaluate(mins_[loop]);
  if (extent.empty() || min.empty())
    return {};
  int64_t steps = *std::max_element(extent.begin(), extent.end());
  Lanes all{0};
  for (int64_t step = 0; step < steps && !all.empty(); ++step) {
    lanes_.spend(1);
    lanes_.bind(var, lanes_.combine(BinaryOp::Add, min, {step}));
    Lanes inside = countLoops(loops & ~own, conditions);
    // Threads may run it a different number of times.
    if (extent.size() > 1)
      inside =
          lanes_.combine(BinaryOp::Mul, inside, lanes_.combine(BinaryOp::Greater, extent, {step}));
    all = lanes_.isSpent() ? Lanes() : lanes_.combine(BinaryOp::Add, all, inside);
  }
  lanes_.unbind(var);
  return all;
}

std::optional<int64_t> ExecutionCounter::count() {
  bool isOpen = llvm::any_of(place_.loops, [](const LoopRange &loop) { return loop.mayEndEarly; });
  if (isOpen || place_.loops.size() > MostLoops)
    return std::nullopt;
  const int64_t threadCount = place_.onlyThread ? 1 : place_.launch->threads;
  Lanes threads(static_cast<size_t>(threadCount));
  std::iota(threads.begin(), threads.end(), place_.onlyThread.value_or(0));
  lanes_.bind(place_.launch->threadVar, std::move(threads));
  for (const LoopRange &loop : place_.loops) {
    mins_.push_back(termOf(loop.min));
    extents_.push_back(termOf(loop.extent));
  }
  for (auto [expr, holds] : place_.conditions)
    addCondition(expr, holds);
  Conditions conditions;
  for (const Condition &condition : conditions_)
    conditions.push_back(&condition);
  LoopSet every = 0;
  for (size_t loop = 0; loop != place_.loops.size(); ++loop)
    every |= LoopSet{1} << loop;
  Lanes counts = countLoops(every, conditions);
  if (counts.empty())
    return std::nullopt;
  int64_t all = 0;
  if (counts.size() == 1)
    return __builtin_mul_overflow(counts[0], threadCount, &all) ? std::nullopt : std::optional(all);
  for (int64_t count : counts)
    if (__builtin_add_overflow(all, count, &all))
      return std::nullopt;
  return all;
}

} // namespace

std::optional<int64_t> countExecutions(const ExecutionPlace &place, const StmtPlaces &places) {
  return ExecutionCounter(place, places).count();
}

} // namespace tilescope
