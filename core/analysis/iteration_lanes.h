// An access in a T.Parallel run for all iterations at once, and those that touch one element found.
//
//     for i, j in T.Parallel(8, 16):
//       for k in T.serial(2):
//         s[2 * j + k] = ...          256 lanes, two of each iteration; 32 elements, each of which
//                                     8 iterations touch
#pragma once

#include "core/analysis/lane_arithmetic.h"
#include "core/analysis/nest_accesses.h"

namespace tilescope {

// Iterations of the nest, and of each those of its inner loops, up to which they are run.
constexpr int64_t MaxNestIterations = 1 << 16;

// Variables of a nest and how many values they take, outermost first.
using NestExtents = llvm::SmallVector<std::pair<const Var *, int64_t>>;

class AccessLanes {
public:
  // Of a loop around the nest.
  void bind(const Var *var, int64_t value) { run_.bind(var, {value}); }
  // A lane for each of so many iterations, and for those of its inner loops, which run fastest;
  // those lanes are active that are not known not to be.
  void start(const NestAccess &access, const NestExtents &extents, int64_t iterations);
  // Whether all conditions and inner loops are known.
  bool isExact() const { return isExact_; }

  Lanes evaluate(const Expr *expr) { return run_.evaluate(expr); }
  Lanes add(const Lanes &lanes, int64_t distance) {
    return run_.combine(BinaryOp::Add, lanes, {distance});
  }
  void addIndex(Lanes index) { indices_.push_back(std::move(index)); }

  // Whether active lanes of different iterations have the same indices; unknown if these are too
  // many to number.
  static std::optional<bool> meet(const AccessLanes &a, const AccessLanes &b);

private:
  void bindLanes(const Var *var, int64_t min, int64_t inner, int64_t extent);
  void restrict(const NestCondition &condition);
  size_t lanes() const { return static_cast<size_t>(iterations_ * perIteration_); }
  static bool addDigit(const Lanes &a, const Lanes &b, std::vector<int64_t> (&numbers)[2]);
  int64_t iterationOf(size_t lane) const { return static_cast<int64_t>(lane) / perIteration_; }

  LaneArithmetic run_;
  std::vector<Lanes> indices_;
  Lanes active_;
  int64_t iterations_ = 1;
  int64_t perIteration_ = 1; // lanes
  bool isExact_ = true;
};

} // namespace tilescope
