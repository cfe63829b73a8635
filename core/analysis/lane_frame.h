// The lanes that a walk over tile-level code runs at once, and the elements that they name: threads
// of the launch, or inside of a T.Parallel its iterations.
//
//     with T.Kernel(n, threads=128) as bx, tx:     128 lanes
//       s[tx // 2] = 0                             64 boxes of one element, each named twice
//       T.copy(A[...], s)                          one box, the same for all lanes
//       for i, j in T.Parallel(8, 16):             128 lanes, only told apart if somebody must
//         s[i, j] = 0                              one box, [0, 8) x [0, 16)
//         s[bx % 2, j + k] = 0                     not exact: in [0, 2) x [0, 16 + most of k)
#pragma once

#include "core/analysis/lane_arithmetic.h"
#include "core/analysis/path_facts.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

// Of each lane, a box from its own `first` on.
struct ElementBoxes {
  llvm::SmallVector<Lanes> first; // per axis
  llvm::SmallVector<int64_t> extents;
  bool isExact = true;     // false: each lane names something inside of its box, who knows what
  bool mayBeEmpty = false; // no exact one is, of which an extent is positive
};

class LaneFrame {
public:
  explicit LaneFrame(PathFacts &facts) : facts_(facts) {}

  void enterLaunch(const Launch &launch);
  // Its variables run over all iterations; what the threads were is not asked in there.
  void enterNest(const Parallel &nest);
  void leaveNest();

  Lanes evaluate(const Expr *expr);
  void bind(const Var *var, Lanes value) { lanes_.bind(var, std::move(value)); }
  void unbind(const Var *var) { lanes_.unbind(var); }

  // Which lanes run the statement at hand.
  const Lanes &active() const { return active_; }
  void setActive(Lanes active) { active_ = std::move(active); }
  // Those of `active` whose value says so.
  Lanes activeWhere(const Lanes &values, llvm::function_ref<bool(int64_t value)> isActive);
  // Those of `active` for which the condition holds, or does not; empty: not known.
  Lanes activeUnder(const Expr *condition, bool holds);

  // `shape`: of the buffer, which is in registers of each thread if its first axis is the thread.
  ElementBoxes boxesOf(llvm::ArrayRef<int64_t> shape, bool hasThreadAxis,
                       llvm::ArrayRef<Range> ranges);
  // The boxes of active lanes, cut to the shape; none that is empty.
  void forEachBox(
      const ElementBoxes &boxes, llvm::ArrayRef<int64_t> shape,
      llvm::function_ref<void(llvm::ArrayRef<int64_t> first, llvm::ArrayRef<int64_t> extents)>
          visit);
  // A step is about a nanosecond; once too many are spent nothing more is evaluated.
  void spend(int64_t steps) { lanes_.spend(steps); }
  bool isSpent() const { return lanes_.isSpent(); }

private:
  void addAxis(ElementBoxes &boxes, int64_t shape, const Range &range);
  bool addWholeAxes(ElementBoxes &boxes, llvm::ArrayRef<Range> ranges);
  void tellIterationsApart();

  PathFacts &facts_;
  LaneArithmetic lanes_;
  Lanes active_ = {1};
  Lanes activeOutside_; // of the nest
  LaneArithmetic::Variables variablesOutside_;
  int64_t threads_ = 1;
  const Parallel *nest_ = nullptr;
  llvm::SmallVector<int64_t> nestExtents_; // empty: not known, or too many
  bool isToldApart_ = false;               // the variables of the nest are bound
};

} // namespace tilescope
