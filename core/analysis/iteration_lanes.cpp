#include "core/analysis/iteration_lanes.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

void AccessLanes::start(const NestAccess &access, const NestExtents &extents, int64_t iterations) {
  indices_.clear();
  active_ = {1};
  iterations_ = iterations;
  perIteration_ = 1;
  isExact_ = true;
  llvm::SmallVector<std::pair<const For *, int64_t>> loops;
  for (const For *loop : access.loops) {
    std::optional<int64_t> trips = constantValue(loop->extent);
    bool isRun = trips && *trips > 0 && constantValue(loop->min) &&
                 *trips <= MaxNestIterations / (iterations_ * perIteration_);
    isExact_ &= isRun && !mayEndEarly(*loop);
    if (!isRun)
      continue;
    perIteration_ *= *trips;
    loops.push_back({loop, *trips});
  }
  int64_t inner = 1;
  for (auto [loop, trips] : llvm::reverse(loops)) {
    bindLanes(loop->var, *constantValue(loop->min), inner, trips);
    inner *= trips;
  }
  for (auto [var, extent] : llvm::reverse(extents)) {
    bindLanes(var, 0, inner, extent);
    inner *= extent;
  }
  for (const NestCondition &condition : access.conditions)
    restrict(condition);
}

void AccessLanes::bindLanes(const Var *var, int64_t min, int64_t inner, int64_t extent) {
  Lanes values(lanes());
  for (size_t lane = 0; lane != values.size(); ++lane)
    values[lane] = min + static_cast<int64_t>(lane) / inner % extent;
  run_.bind(var, std::move(values));
}

void AccessLanes::restrict(const NestCondition &condition) {
  const auto *binary = llvm::dyn_cast<Binary>(condition.expr);
  if (binary && binary->op == (condition.holds ? BinaryOp::And : BinaryOp::Or)) {
    restrict({binary->lhs, condition.holds});
    restrict({binary->rhs, condition.holds});
    return;
  }
  BinaryOp isMet = condition.holds ? BinaryOp::NotEqual : BinaryOp::Equal;
  Lanes holds = run_.combine(isMet, run_.evaluate(condition.expr), {0});
  Lanes both = run_.combine(BinaryOp::And, active_, holds);
  isExact_ &= !both.empty();
  if (!both.empty())
    active_ = std::move(both);
}

std::optional<bool> AccessLanes::meet(const AccessLanes &a, const AccessLanes &b) {
  // Elements by number.
  std::vector<int64_t> numbers[2] = {std::vector<int64_t>(a.lanes()),
                                     std::vector<int64_t>(b.lanes())};
  for (auto [first, second] : llvm::zip_equal(a.indices_, b.indices_))
    if (!addDigit(first, second, numbers))
      return std::nullopt;
  constexpr int64_t Several = -1;
  llvm::DenseMap<int64_t, int64_t> touchedBy;
  for (size_t lane = 0; lane != b.lanes(); ++lane)
    if (laneOf(b.active_, lane) != 0) {
      int64_t &iteration =
          touchedBy.try_emplace(numbers[1][lane], b.iterationOf(lane)).first->second;
      if (iteration != b.iterationOf(lane))
        iteration = Several;
    }
  for (size_t lane = 0; lane != a.lanes(); ++lane) {
    auto found = touchedBy.end();
    if (laneOf(a.active_, lane) != 0)
      found = touchedBy.find(numbers[0][lane]);
    if (found != touchedBy.end() && found->second != a.iterationOf(lane))
      return true;
  }
  return false;
}

// One more digit of each number; false: they get too large.
bool AccessLanes::addDigit(const Lanes &a, const Lanes &b, std::vector<int64_t> (&numbers)[2]) {
  constexpr int64_t Limit = int64_t(1) << 31;
  int64_t low = std::min(*llvm::min_element(a), *llvm::min_element(b));
  int64_t high = std::max(*llvm::max_element(a), *llvm::max_element(b));
  int64_t digits = 0;
  if (__builtin_sub_overflow(high, low, &digits) || digits >= Limit)
    return false;
  ++digits;
  const Lanes *values[] = {&a, &b};
  for (int side : {0, 1})
    for (size_t lane = 0; lane != numbers[side].size(); ++lane) {
      int64_t &number = numbers[side][lane];
      if (number >= Limit)
        return false;
      number = number * digits + (laneOf(*values[side], lane) - low);
    }
  return true;
}

} // namespace tilescope
