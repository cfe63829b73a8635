#include "core/analysis/lane_walk.h"

#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

namespace tilescope {

namespace {

// Nothing is known of it: any integer is a multiple of 1.
LanePlace unknownPlace() { return {{0}, 1}; }

} // namespace

StmtPlaces::StmtPlaces(const Function &function) {
  walk(function.body, [&](const Stmt *stmt) {
    forEachChild(stmt, [&](const Stmt *child) { parents_[child] = stmt; });
    if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
      values_[bind->var] = bind->value;
    return true;
  });
}

LaneWalk::LaneWalk(const StmtPlaces &places, const Stmt *stmt) : places_(places) {
  const Stmt *child = stmt;
  for (const Stmt *parent = places.parentOf(stmt); parent; parent = places.parentOf(parent)) {
    if (llvm::isa<Parallel>(parent))
      return;
    if (const auto *loop = llvm::dyn_cast<For>(parent))
      enclosing_.push_back(loop);
    if (const auto *branch = llvm::dyn_cast<If>(parent))
      branches_.push_back({branch, child == branch->thenBody});
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

void LaneWalk::need(llvm::ArrayRef<Range> ranges) {
  for (const Range &range : ranges)
    addVars(range.min, true);
}

// A loop is worth running for an index only, not for a condition.
void LaneWalk::addVars(const Expr *expr, bool withLoops) {
  walk(expr, [&](const Expr *part) {
    const auto *var = llvm::dyn_cast<Var>(part);
    if (!var)
      return;
    if (const Expr *value = places_.valueOf(var)) {
      if (!seen_.insert(var).second)
        return;
      addVars(value, withLoops);
      binds_.push_back(var);
    }
    for (const For *loop : enclosing_)
      if (withLoops && loop->var == var && needed_.insert(loop).second) {
        addVars(loop->min, true);
        addVars(loop->extent, true);
      }
  });
}

bool LaneWalk::run(llvm::function_ref<bool(const Lanes &active)> visit) {
  if (!launch_)
    return false;
  for (auto [branch, isFirst] : branches_)
    addVars(branch->condition, false);
  for (const For *loop : enclosing_)
    if (needed_.contains(loop))
      loops_.push_back(loop);
    else
      unknownLoops_.insert(loop);
  return runLoops(0, visit) && !lanes_.isSpent();
}

bool LaneWalk::runLoops(size_t depth, llvm::function_ref<bool(const Lanes &active)> visit) {
  if (!spend(1))
    return false;
  evaluateBinds();
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

void LaneWalk::evaluateBinds() {
  for (const Var *var : binds_)
    lanes_.bind(var, lanes_.evaluate(places_.valueOf(var)));
}

Lanes LaneWalk::activeLanes() {
  Lanes active = {1};
  for (auto [branch, isFirst] : branches_)
    restrict(branch->condition, isFirst, active);
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

bool LaneWalk::isExact(const ThreadUniform &uniform) const {
  return llvm::all_of(unknownConditions_,
                      [&](const Expr *part) { return uniform.isUniform(part); }) &&
         llvm::all_of(unknownLoops_, [&](const For *loop) { return uniform.isUniform(*loop); });
}

bool LaneWalk::spend(int64_t steps) {
  lanes_.spend(steps);
  return !lanes_.isSpent();
}

std::optional<LanePlace> LaneWalk::placeOf(const Buffer &buffer, llvm::ArrayRef<Range> ranges) {
  if (ranges.size() != buffer.shape.size() || !buffer.strides.empty())
    return std::nullopt;
  LanePlace place{{0}, 0};
  int64_t stride = 1;
  for (size_t axis = ranges.size(); axis-- != 0;) {
    LanePlace index = linear(ranges[axis].min);
    int64_t period = 0;
    Lanes scaled = lanes_.combine(BinaryOp::Mul, index.first, {stride});
    place.first = lanes_.combine(BinaryOp::Add, place.first, scaled);
    if (place.first.empty() || __builtin_mul_overflow(index.period, stride, &period))
      return std::nullopt;
    place.period = std::gcd(place.period, period);
    std::optional<int64_t> extent = constantValue(buffer.shape[axis]);
    if (axis != 0 && (!extent || __builtin_mul_overflow(stride, *extent, &stride)))
      return std::nullopt;
  }
  return place;
}

LanePlace LaneWalk::linear(const Expr *expr) {
  if (!spend(1))
    return unknownPlace();
  if (Lanes values = lanes_.evaluate(expr); !values.empty())
    return {std::move(values), 0};
  if (const auto *var = llvm::dyn_cast<Var>(expr)) {
    const Expr *value = places_.valueOf(var);
    return value ? linear(value) : unknownPlace();
  }
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  return binary ? linearBinary(*binary) : unknownPlace();
}

LanePlace LaneWalk::linearBinary(const Binary &binary) {
  if (binary.op != BinaryOp::Add && binary.op != BinaryOp::Sub && binary.op != BinaryOp::Mul)
    return unknownPlace();
  LanePlace left = linear(binary.lhs), right = linear(binary.rhs);
  LanePlace result{lanes_.combine(binary.op, left.first, right.first), 0};
  if (binary.op != BinaryOp::Mul) {
    result.period = std::gcd(left.period, right.period);
  } else {
    const LanePlace &factor = left.period == 0 ? left : right;
    const LanePlace &other = left.period == 0 ? right : left;
    bool isConstant = factor.period == 0 && factor.first.size() == 1;
    if (!isConstant || __builtin_mul_overflow(other.period, factor.first[0], &result.period))
      return unknownPlace();
    result.period = std::abs(result.period);
  }
  return result.first.empty() ? unknownPlace() : result;
}

} // namespace tilescope
