// Writes that a walk knows of only by their expressions, or under conditions.
//
//     S[k % 2, 0:64] = ...            under no guard: elements k % 2, [0, 64), in this iteration
//     if n > 4: T.fill(x, 0)          under n > 4: all elements of x
//       ...
//     if n > 5: T.copy(x, ...)        n > 4 is proven here
//     for i in T.Parallel(64):
//       if i < n: s[i] = 0            in the lane, under i < n: element i
#pragma once

#include "core/analysis/element_set.h"
#include "core/analysis/path_facts.h"

namespace tilescope {

struct WriteGuard {
  const Expr *condition = nullptr;
  bool holds = true;
};

class GuardedWrites {
public:
  explicit GuardedWrites(PathFacts &facts) : facts_(facts) {}

  // A place in the order of additions, for what is done to all later ones.
  size_t mark() const { return writes_.size(); }

  // Each lane wrote these elements. `isRecorded`: what all lanes wrote is known without this.
  void add(size_t buffer, llvm::ArrayRef<Range> ranges, bool isRecorded);
  void add(size_t buffer, const ElementSet &elements, WriteGuard guard);

  void guard(size_t mark, WriteGuard guard);
  // The variable names something else from here on.
  void drop(size_t mark, const Var *var);
  void dropAll(size_t mark) { writes_.resize(mark); }
  // Out of the loop, or the nest, each of whose iterations did this: together they wrote what each
  // of them did. What is private to a thread (`isPrivate`, by buffer) goes with the nest.
  void leaveLoop(size_t mark, const For &loop);
  void leaveNest(size_t mark, const Parallel &nest,
                 llvm::function_ref<bool(size_t buffer)> isPrivate);

  // Whether a lane's own write holds all of these elements, whoever else wrote.
  bool covers(size_t buffer, llvm::ArrayRef<Range> ranges);
  // With what was written under conditions that hold here.
  ElementSet with(size_t buffer, const ElementSet &written);

private:
  struct Write {
    size_t buffer = 0;
    llvm::SmallVector<WriteGuard, 1> guards;
    std::optional<ElementSet> elements; // else:
    llvm::SmallVector<Range> ranges;
    bool isRecorded = false;
  };

  bool holds(const Write &write);
  bool isInside(const Range &inner, const Range &outer);
  bool dependsOn(const Write &write, const Var *var);
  bool isStable(const Write &write);
  bool widen(Write &write, const Var *var, const Expr *min, const Expr *trips);
  bool widen(Range &range, const Var *var, const Expr *min, const Expr *trips);
  void eraseIf(size_t mark, llvm::function_ref<bool(Write &write)> isErased);

  PathFacts &facts_;
  std::vector<Write> writes_;
};

} // namespace tilescope
