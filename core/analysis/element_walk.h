// The walk over sets of elements that finds reads of what nobody wrote: statements, conditions,
// loops.
#pragma once

#include "core/analysis/element_accesses.h"
#include "core/analysis/thread_uniform.h"
#include "core/ir/build.h"

namespace tilescope {

class ElementWalk {
public:
  ElementWalk(Context &context, const Function &function)
      : context_(context), builder_(context), function_(function), facts_(context, function),
        frame_(facts_), guarded_(facts_) {}

  std::vector<UninitialisedElement> run();

private:
  using State = WrittenElements::State;

  void visit(const Stmt *stmt);
  void visitInside(const Stmt *parent, const Stmt *child);
  void visitLaunch(const Launch &launch);
  void visitNest(const Parallel &nest);

  // element_walk_loops.cpp
  void visitLoop(const For &loop);
  void visitKnownTrips(const For &loop, const Lanes &min, const Lanes &extent);
  // Whether an iteration touches what the others do, on the same conditions.
  bool isSameEachTime(const For &loop);
  void visitIteration(const For &loop, Lanes value);
  // One that stands for all that were not run: what it finds written, each of them does.
  void visitAnyIteration(const For &loop);
  void visitBody(const For &loop, const Expr *fact);
  void visitUnknownTrips(const For &loop, const Lanes &min);
  // Small counts apart, and all that are larger: what guards the refill of a ring is known then.
  void visitByTrips(const For &loop, const Lanes &min, const State &before);
  bool dependsOnLoops(const Expr *expr);
  // What follows may run first in any iteration of the loops around it, or may have run in an
  // earlier one and not in this.
  void expectLater();

  void visitBranch(const If &branch);
  void visitLanes(const If &branch, bool holds, Lanes active);
  void visitUnknownBranch(const If &branch);
  // The walk went where `guard` holds, from `mark` on; `other` is what was written elsewhere.
  void joinWith(const State &other, size_t mark, WriteGuard guard);
  // What is surely written where the guard holds, and not everywhere. Inside of a nest a lane may
  // not take it for its own.
  void keep(const State &side, WriteGuard guard);
  State save();
  const ThreadUniform &uniform();

  Context &context_;
  Builder builder_;
  const Function &function_;
  PathFacts facts_;
  LaneFrame frame_;
  GuardedWrites guarded_;
  std::optional<WrittenElements> written_;  // of the launch
  std::optional<ElementAccesses> accesses_; // of the launch
  AccessPlace place_;
  Lanes roleLanes_; // of `place_.role`
  std::optional<ThreadUniform> uniform_;
  llvm::SmallVector<const For *> loops_; // around the statement, outermost first
  int64_t visits_ = 0;
  int repeats_ = 0; // loops around it that are past their first iteration
  std::vector<UninitialisedElement> found_;
};

} // namespace tilescope
