// Writes that a walk knows of only by their expressions, or under conditions.
//
//     S[k % 2, 0:64] = ...            under no guard: elements k % 2, [0, 64), in this iteration
//     if n > 4: T.fill(x, 0)          under n > 4: all elements of x
//       ...
//     if n > 5: T.copy(x, ...)        n > 4 is proven here
//     if a[0] > 0: v = 1
//     else: v = 2                     on both sides: v
//     for i in T.Parallel(64):
//       if i < n: s[i] = 0            in the lane, under i < n: element i
//     for j in T.Parallel(64):        for all i in [0, 64), under i < n: element i
//       if j < n: ... s[j]            i = j shows it
#pragma once

#include "core/analysis/element_set.h"
#include "core/analysis/path_facts.h"
#include "core/ir/visit.h"

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
  // The variable names something else from here on; or it had this value.
  void forget(const Var *var);
  void drop(size_t mark, const Var *var);
  void settle(size_t mark, const Var *var, const Expr *value);
  void dropAll(size_t mark) { writes_.resize(mark); }
  // Out of the loop, or the nest, each of whose iterations did this: together they wrote what each
  // of them did. What is private to a thread (`isPrivate`, by buffer), or says something of threads
  // (not `isUniform`), goes with the nest: who ran which iteration is not known.
  void leaveLoop(size_t mark, const For &loop);
  void leaveNest(size_t mark, const Parallel &nest,
                 llvm::function_ref<bool(size_t buffer)> isPrivate,
                 llvm::function_ref<bool(const Expr *expr)> isUniform);

  // What was written on both sides of a branch, under nothing else: what from `mark` on was under
  // the condition, and under its opposite. Whichever side a lane took, it wrote these.
  struct OnBothSides {
    size_t buffer = 0;
    llvm::SmallVector<Range> ranges;
  };
  std::vector<OnBothSides> writtenOnBothSides(size_t mark, const Expr *condition);

  // Whether a write that this lane made itself, or that all lanes made before, holds all of these
  // elements.
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
    bool isForgotten = false; // its place is kept, for marks
    // Written for each value of these variables in its range, whatever it was at the time.
    struct Quantified {
      const Var *var = nullptr;
      Range range;
    };
    llvm::SmallVector<Quantified, 2> all;
  };

  bool proves(const Expr *condition, bool holds);
  bool holds(const Write &write);
  bool isInside(const Range &inner, const Range &outer);
  // The write for the values that make its elements those of the ranges; nothing: none does.
  std::optional<Write> instanceFor(const Write &write, llvm::ArrayRef<Range> ranges);
  bool isUniformWrite(const Write &write, llvm::function_ref<bool(const Expr *expr)> isUniform);
  void substituteAll(Write &write, const Substitution &values);
  bool dependsOn(const Write &write, const Var *var);
  bool isStable(const Write &write);
  bool areStable(llvm::ArrayRef<Range> ranges);
  static bool isOnlyUnder(const Write &write, const Expr *condition, bool holds);
  bool widen(Write &write, const Var *var, const Expr *min, const Expr *trips);
  bool widen(Range &range, const Var *var, const Expr *min, const Expr *trips);
  void eraseIf(size_t mark, llvm::function_ref<bool(Write &write)> isErased);

  PathFacts &facts_;
  std::vector<Write> writes_;
  int64_t proofs_ = 0;
};

} // namespace tilescope
