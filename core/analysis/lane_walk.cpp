#include "core/analysis/lane_walk.h"

#include "core/analysis/ir_affine.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

namespace tilescope {

namespace {

constexpr int64_t MaxLanes = 1 << 18; // in all iterations that are run

// Nothing is known of it: any integer is a multiple of 1.
LaneIndex unknownIndex() { return {{0}, 1, {}}; }

} // namespace

LaneWalk::LaneWalk(const StmtPlaces &places, const Stmt *stmt) : places_(places) {
  const Stmt *child = stmt;
  for (const Stmt *parent = places.parentOf(stmt); parent; parent = places.parentOf(parent)) {
    if (llvm::isa<Parallel>(parent))
      return;
    if (const auto *loop = llvm::dyn_cast<For>(parent))
      enclosing_.push_back(loop);
    if (const auto *branch = llvm::dyn_cast<If>(parent))
      conditions_.push_back({branch->condition, child == branch->thenBody});
    child = parent;
    launch_ = llvm::dyn_cast<Launch>(parent);
    if (launch_)
      break;
  }
  if (!launch_)
    return;
  std::reverse(enclosing_.begin(), enclosing_.end());
  seen_.insert(launch_->threadVar);
  Lanes threads(static_cast<size_t>(launch_->threads));
  std::iota(threads.begin(), threads.end(), 0);
  lanes_.bind(launch_->threadVar, std::move(threads));
}

void LaneWalk::fixAround(StmtList stmts) {
  for (const Stmt *at = places_.parentOf(stmts.front()); at; at = places_.parentOf(at))
    if (const auto *loop = llvm::dyn_cast<For>(at); loop && places_.uniform().isUniform(*loop))
      fixedLoopVars_.insert(loop->var);
  fixesRegisters_ = true;
  for (const Stmt *root : stmts)
    walk(root, [&](const Stmt *stmt) {
      forEachWritten(*stmt, [&](BufferId buffer) { writtenInside_.insert(buffer.value); });
      return true;
    });
}

void LaneWalk::need(llvm::ArrayRef<Range> ranges) {
  for (const Range &range : ranges)
    addVars(range.min, true);
}

// A loop is worth running for an index only, not for a condition.
void LaneWalk::addVars(const Expr *expr, bool withLoops) {
  walk(expr, [&](const Expr *part) {
    const auto *var = llvm::dyn_cast<Var>(part);
    readsMemory_ |= llvm::isa<Load>(part);
    if (!var)
      return;
    if (const Bind *bind = places_.bindOf(var)) {
      if (!seen_.insert(var).second)
        return;
      addVars(bind->value, withLoops);
      binds_.push_back(var);
    }
    for (const For *loop : enclosing_)
      if (withLoops && loop->var == var && !fixedLoopVars_.contains(var) &&
          needed_.insert(loop).second) {
        addVars(loop->min, true);
        addVars(loop->extent, true);
      }
  });
}

bool LaneWalk::run(llvm::function_ref<bool(const Lanes &active)> visit) {
  if (!launch_)
    return false;
  needConditions();
  int64_t iterations = 1;
  for (const For *loop : llvm::reverse(enclosing_)) {
    // Of loops that are too long together the inner ones are run.
    int64_t trips = std::clamp<int64_t>(constantValue(loop->extent).value_or(1), 1, MaxLanes);
    bool isRun = needed_.contains(loop) && iterations * trips * launch_->threads <= MaxLanes;
    iterations *= isRun ? trips : 1;
    isRun ? void(loops_.insert(loops_.begin(), loop)) : void(unknownLoops_.insert(loop));
  }
  levelBinds();
  return runLoops(0, visit) && !lanes_.isSpent();
}

void LaneWalk::needConditions() {
  for (auto [condition, holds] : conditions_)
    addVars(condition, false);
}

// What depends on no loop is evaluated once.
void LaneWalk::levelBinds() {
  llvm::DenseMap<const Var *, size_t> levels;
  for (auto [index, loop] : llvm::enumerate(loops_))
    levels[loop->var] = index + 1;
  for (const Var *var : binds_) {
    size_t level = 0;
    walk(places_.bindOf(var)->value, [&](const Expr *part) {
      if (const auto *used = llvm::dyn_cast<Var>(part))
        level = std::max(level, levels.lookup(used));
    });
    levels[var] = level;
    bindLevels_.push_back(level);
  }
}

std::optional<std::vector<CacheKeyPart>> LaneWalk::key() {
  needConditions();
  if (readsMemory_ || fixesRegisters_)
    return std::nullopt;
  std::vector<CacheKeyPart> key = {launch_->threadVar, static_cast<uint64_t>(launch_->threads)};
  for (const For *loop : enclosing_)
    llvm::append_values(key, loop->var, loop->min, loop->extent);
  for (auto [condition, holds] : conditions_)
    llvm::append_values(key, condition, static_cast<uint64_t>(holds));
  for (const Var *var : binds_)
    llvm::append_values(key, var, places_.bindOf(var)->value);
  return key;
}

bool LaneWalk::runLoops(size_t depth, llvm::function_ref<bool(const Lanes &active)> visit) {
  if (!spend(1))
    return false;
  evaluateBinds(depth);
  if (depth == loops_.size())
    return visit(activeLanes());
  const For &loop = *loops_[depth];
  Lanes min = lanes_.evaluate(loop.min);
  Lanes extent = lanes_.evaluate(loop.extent);
  if (min.size() != 1 || extent.size() != 1) {
    unknownLoops_.insert(&loop);
    lanes_.unbind(loop.var);
    return runLoops(depth + 1, visit);
  }
  for (int64_t step = 0; step < extent[0]; ++step) {
    lanes_.bind(loop.var, {min[0] + step});
    if (!runLoops(depth + 1, visit))
      return false;
  }
  return true;
}

void LaneWalk::evaluateBinds(size_t level) {
  for (auto [var, bindLevel] : llvm::zip_equal(binds_, bindLevels_))
    if (bindLevel == level)
      lanes_.bind(var, lanes_.evaluate(places_.bindOf(var)->value));
}

Lanes LaneWalk::activeLanes() {
  Lanes active = {1};
  for (auto [condition, holds] : conditions_)
    restrict(condition, holds, active);
  return active;
}

void LaneWalk::restrict(const Expr *condition, bool holds, Lanes &active) {
  const auto *binary = llvm::dyn_cast<Binary>(condition);
  if (holds && binary && binary->op == BinaryOp::And) {
    restrict(binary->lhs, true, active);
    restrict(binary->rhs, true, active);
    return;
  }
  Lanes values = lanes_.evaluate(condition);
  if (!holds)
    for (int64_t &value : values)
      value = value == 0;
  Lanes both = lanes_.combine(BinaryOp::And, active, values);
  if (both.empty())
    unknownConditions_.insert(condition);
  else
    active = std::move(both);
}

bool LaneWalk::isExact() const {
  const ThreadUniform &uniform = places_.uniform();
  return llvm::none_of(enclosing_, [](const For *loop) { return mayEndEarly(*loop); }) &&
         llvm::all_of(unknownConditions_, [&](auto *part) { return uniform.isUniform(part); }) &&
         llvm::all_of(unknownLoops_, [&](const For *loop) { return uniform.isUniform(*loop); });
}

bool LaneWalk::spend(int64_t steps) {
  lanes_.spend(steps);
  return !lanes_.isSpent();
}

LaneIndex LaneWalk::indexOf(const Expr *expr) {
  if (!spend(1))
    return unknownIndex();
  if (Lanes values = lanes_.evaluate(expr); !values.empty())
    return {std::move(values), 0, {}};
  if (const auto *cast = llvm::dyn_cast<Cast>(expr))
    if (isAffineType(cast->dtype()) && isAffineType(cast->operand->dtype()))
      return indexOf(cast->operand);
  LaneIndex parts = unknownIndex();
  const auto *var = llvm::dyn_cast<Var>(expr);
  if (const Bind *bind = var ? places_.bindOf(var) : nullptr)
    parts = indexOf(bind->value);
  else if (const auto *binary = llvm::dyn_cast<Binary>(expr))
    parts = indexOfBinary(*binary);
  else if (const auto *select = llvm::dyn_cast<Select>(expr))
    parts = indexOfSelect(*select);
  if (parts.period != 1)
    return parts;
  return isFixed(expr) ? LaneIndex{{0}, 0, {{expr, 1}}} : unknownIndex();
}

// `x % 64` is x, up to a multiple of 64.
LaneIndex LaneWalk::indexOfMod(const Binary &mod) {
  std::optional<int64_t> divisor = constantValue(mod.rhs);
  LaneIndex index = divisor.value_or(0) > 0 ? indexOf(mod.lhs) : unknownIndex();
  index.period = std::gcd(index.period, divisor.value_or(1));
  return index;
}

// `x + 64 if x < 0 else x` is x, up to a multiple of 64.
LaneIndex LaneWalk::indexOfSelect(const Select &select) {
  LaneIndex either = indexOf(select.whenTrue), other = indexOf(select.whenFalse);
  Lanes apart = lanes_.combine(BinaryOp::Sub, either.first, other.first);
  if (apart.empty() || !isSameFixedPart(either.fixed, other.fixed))
    return unknownIndex();
  either.period = std::gcd(either.period, other.period);
  for (int64_t distance : apart)
    either.period = std::gcd(either.period, distance);
  return either;
}

LaneIndex LaneWalk::indexOfBinary(const Binary &binary) {
  if (binary.op == BinaryOp::FloorMod)
    return indexOfMod(binary);
  if (binary.op != BinaryOp::Add && binary.op != BinaryOp::Sub && binary.op != BinaryOp::Mul)
    return unknownIndex();
  LaneIndex left = indexOf(binary.lhs), right = indexOf(binary.rhs);
  LaneIndex result{lanes_.combine(binary.op, left.first, right.first), 0, {}};
  bool isExact = true;
  if (binary.op != BinaryOp::Mul) {
    result.period = std::gcd(left.period, right.period);
    result.fixed = std::move(left.fixed);
    isExact = addTerms(result.fixed, right.fixed, binary.op == BinaryOp::Sub ? -1 : 1);
  } else {
    bool isLeftKnown = left.period == 0 && left.fixed.empty();
    const LaneIndex &factor = isLeftKnown ? left : right;
    const LaneIndex &other = isLeftKnown ? right : left;
    bool isConstant = factor.period == 0 && factor.fixed.empty() && factor.first.size() == 1;
    if (!isConstant || __builtin_mul_overflow(other.period, factor.first[0], &result.period))
      return unknownIndex();
    result.period = std::abs(result.period);
    isExact = addTerms(result.fixed, other.fixed, factor.first[0]);
  }
  return result.first.empty() || !isExact ? unknownIndex() : result;
}

bool LaneWalk::isFixed(const Expr *expr) {
  auto [found, isNew] = isFixed_.try_emplace(expr, false);
  if (!isNew)
    return found->second;
  bool fixed = isFixedAlone(expr);
  forEachChild(expr, [&](const Expr *part) { fixed = fixed && isFixed(part); });
  return isFixed_[expr] = fixed;
}

// Whether an expression is fixed if its parts are.
bool LaneWalk::isFixedAlone(const Expr *expr) {
  if (const auto *load = llvm::dyn_cast<Load>(expr))
    return (places_.isGlobal(load->buffer) && !places_.isWritten(load->buffer)) ||
           (fixesRegisters_ && places_.isRegister(load->buffer) &&
            !writtenInside_.contains(load->buffer.value) &&
            places_.uniform().isUniformBuffer(load->buffer));
  const auto *var = llvm::dyn_cast<Var>(expr);
  if (!var)
    return true;
  if (const Bind *bind = places_.bindOf(var))
    return isFixed(bind->value) || isBoundOnce(*bind);
  return !places_.isVarying(var) || fixedLoopVars_.contains(var);
}

// All threads agree on the value, and there is no other in the loops that are run.
bool LaneWalk::isBoundOnce(const Bind &bind) const {
  bool isInLoop = false;
  for (const Stmt *stmt = &bind; stmt; stmt = places_.parentOf(stmt)) {
    const auto *loop = llvm::dyn_cast<For>(stmt);
    isInLoop |= llvm::isa<Parallel>(stmt) || (loop && !fixedLoopVars_.contains(loop->var));
  }
  return !isInLoop && places_.uniform().isUniform(bind.value);
}

} // namespace tilescope
