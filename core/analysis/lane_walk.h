// Runs the index arithmetic of one statement for all threads of its launch, once per iteration of
// the enclosing loops that its indices depend on.
//
//     for k in serial(n):                  not run: no index depends on k
//       for i in unroll(2):                run: i = 0, i = 1
//         col = i * 128 + tx               evaluated for 128 threads at once
//         if tx < 32 and k < n:            the left side chooses threads, the right side is unknown
//           s[bx * 256 + col] = ...        element = i * 128 + tx, up to multiples of 256
#pragma once

#include "core/analysis/lane_arithmetic.h"
#include "core/analysis/thread_uniform.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <optional>

namespace tilescope {

// Where each statement of a function stands, and what each variable is bound to.
class StmtPlaces {
public:
  explicit StmtPlaces(const Function &function);

  const Stmt *parentOf(const Stmt *stmt) const { return parents_.lookup(stmt); }
  const Expr *valueOf(const Var *var) const { return values_.lookup(var); } // null: not a Bind's

private:
  llvm::DenseMap<const Stmt *, const Stmt *> parents_;
  llvm::DenseMap<const Var *, const Expr *> values_;
};

// An element of a buffer in row-major order of its logical coordinates, a lane. What is unknown of
// it is some multiple of `period`; 0: nothing is.
struct LanePlace {
  Lanes first;
  int64_t period = 0;
};

class LaneWalk {
public:
  LaneWalk(const StmtPlaces &places, const Stmt *stmt);

  // Null if the statement is not inside of a launch, or still inside of a T.Parallel.
  const Launch *launch() const { return launch_; }

  // To be named before the walk: expressions that `placeOf` is asked about.
  void need(llvm::ArrayRef<Range> ranges);

  // Calls `visit` for each iteration with the threads that run the statement, at least: a condition
  // that is unknown is taken to hold. False once `visit` says so, or when the work is too much.
  bool run(llvm::function_ref<bool(const Lanes &active)> visit);

  // Inside `visit`. Nullopt if the shape is not known, or nothing of an index is.
  std::optional<LanePlace> placeOf(const Buffer &buffer, llvm::ArrayRef<Range> ranges);

  // After the walk: whether all threads agreed on every condition and trip count that was unknown.
  bool isExact(const ThreadUniform &uniform) const;

  // Inside `visit`, about work done for a place; false once too much was done.
  bool spend(int64_t steps);

private:
  void addVars(const Expr *expr, bool withLoops);
  bool runLoops(size_t depth, llvm::function_ref<bool(const Lanes &active)> visit);
  void evaluateBinds();
  Lanes activeLanes();
  void restrict(const Expr *condition, bool holds, Lanes &active);
  LanePlace linear(const Expr *expr);
  LanePlace linearBinary(const Binary &binary);

  const StmtPlaces &places_;
  const Launch *launch_ = nullptr;
  llvm::SmallVector<const For *> enclosing_;                // outermost first
  llvm::SmallVector<std::pair<const If *, bool>> branches_; // true: in the first side
  llvm::SmallVector<const For *> loops_;                    // enclosing ones that are run
  llvm::SmallPtrSet<const Var *, 16> seen_;
  llvm::SmallPtrSet<const For *, 4> needed_;
  llvm::SmallVector<const Var *> binds_; // each after those that it depends on
  llvm::SmallPtrSet<const Expr *, 4> unknownConditions_;
  llvm::SmallPtrSet<const For *, 4> unknownLoops_;
  LaneArithmetic lanes_;
};

} // namespace tilescope
