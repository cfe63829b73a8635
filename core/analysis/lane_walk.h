// Runs the index arithmetic of one statement for all threads of its launch, once per iteration of
// the enclosing loops that its indices depend on.
//
//     for k in serial(n):                  not run: n is unknown
//       for i in unroll(2):                run: i = 0, i = 1
//         col = i * 128 + tx               evaluated for 128 threads at once
//         if tx < 32 and k < n:            the left side chooses threads, the right side is unknown
//           s[bx * 512 + k * 256 + col]    bx * 512 is fixed: the same for all threads, throughout
//                                          the rest is i * 128 + tx, up to multiples of 256
#pragma once

#include "core/analysis/fixed_part.h"
#include "core/analysis/lane_arithmetic.h"
#include "core/analysis/stmt_places.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilescope {

// An index, a lane: `first`, plus `fixed`, plus some multiple of `period` (0: nothing is unknown).
struct LaneIndex {
  Lanes first;
  int64_t period = 0;
  FixedPart fixed;
};

class LaneWalk {
public:
  LaneWalk(const StmtPlaces &places, const Stmt *stmt);

  // Null if the statement is not inside of a launch, or still inside of a T.Parallel.
  const Launch *launch() const { return launch_; }

  // Before the walk: takes for fixed what does not change while all threads run `stmts`, siblings,
  // once: variables of loops around them, and registers that they do not write, on which threads
  // agree.
  void fixAround(StmtList stmts);

  // Before the walk: only threads for which it holds count.
  void addCondition(const Expr *condition) { conditions_.push_back({condition, true}); }

  // To be named before the walk: expressions that are asked about in it.
  void need(llvm::ArrayRef<Range> ranges);
  void need(const Expr *expr) { addVars(expr, true); }

  // All that the walk depends on besides the statement, to remember what was found; nullopt if that
  // is not known. Before the walk.
  std::optional<std::vector<CacheKeyPart>> key();

  // Calls `visit` for each iteration with the threads that run the statement, at least: a condition
  // that is unknown is taken to hold. False once `visit` says so, or when the work is too much.
  bool run(llvm::function_ref<bool(const Lanes &active)> visit);

  // Inside `visit`.
  LaneIndex indexOf(const Expr *expr);
  Lanes evaluate(const Expr *expr) { return lanes_.evaluate(expr); }

  // Whether an expression has one value for a block, fixed loops taken as what they are.
  bool isFixed(const Expr *expr);

  // After the walk: whether all threads agreed on every condition and trip count that was unknown.
  bool isExact() const;
  // And whether there was none.
  bool knowsAll() const { return unknownConditions_.empty() && unknownLoops_.empty(); }

  // Inside `visit`, about work done for a place; false once too much was done.
  bool spend(int64_t steps);

private:
  void addVars(const Expr *expr, bool withLoops);
  bool runLoops(size_t depth, llvm::function_ref<bool(const Lanes &active)> visit);
  void needConditions();
  void levelBinds();
  void evaluateBinds(size_t level);
  Lanes activeLanes();
  void restrict(const Expr *condition, bool holds, Lanes &active);
  LaneIndex indexOfBinary(const Binary &binary);
  LaneIndex indexOfMod(const Binary &mod);
  LaneIndex indexOfSelect(const Select &select);
  bool isFixedAlone(const Expr *expr);
  bool isBoundOnce(const Bind &bind) const;

  const StmtPlaces &places_;
  const Launch *launch_ = nullptr;
  llvm::SmallVector<const For *> enclosing_;                    // outermost first
  llvm::SmallVector<std::pair<const Expr *, bool>> conditions_; // and whether they hold
  llvm::SmallVector<const For *> loops_;                        // those that are run
  llvm::SmallPtrSet<const Var *, 16> seen_;
  llvm::SmallPtrSet<const For *, 4> needed_;
  llvm::SmallVector<const Var *> binds_; // each after those that it depends on
  llvm::SmallVector<size_t> bindLevels_; // in how many of `loops_` each is evaluated again
  bool readsMemory_ = false;
  llvm::SmallPtrSet<const Expr *, 4> unknownConditions_;
  llvm::SmallPtrSet<const For *, 4> unknownLoops_;
  llvm::SmallPtrSet<const Var *, 4> fixedLoopVars_;
  bool fixesRegisters_ = false;
  llvm::DenseSet<uint32_t> writtenInside_; // registers that are not fixed
  llvm::DenseMap<const Expr *, bool> isFixed_;
  LaneArithmetic lanes_;
};

} // namespace tilescope
