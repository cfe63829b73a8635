// What each thread computes, as a number: threads with equal numbers hold equal values.
//
//     sum[0] = A[tx]                                 1 2 3 4
//     T.shuffle(other[0], sum[0], 1, kind="xor")     2 1 4 3
//     sum[0] = sum[0] + other[0]                     5 5 6 6     1 + 2 is 2 + 1
//     T.shuffle(other[0], sum[0], 2, kind="xor")     6 6 5 5
//     sum[0] = sum[0] + other[0]                     7 7 7 7
//
// Found by running a launch on numbers instead of values, up to the statement that asks. A number
// is made of the expression and of the numbers of its operands, or is like no other. Loops that are
// long, or of unknown length, are run until it is settled which threads agree on what at the top of
// an iteration. Memory that threads share is taken to be read where no thread is writing it.
#pragma once

#include "core/analysis/lane_arithmetic.h"
#include "core/analysis/stmt_places.h"

#include <map>

namespace tilescope {

class ThreadNumbers {
public:
  // Of what all threads have in `expr` when they come to `asking` inside of the launch, in whatever
  // iteration.
  ThreadNumbers(const StmtPlaces &places, const Launch &launch, const Stmt *asking,
                const Expr *expr);

  // One a thread, or a single one that all share; empty: too much work.
  Lanes take() { return std::move(asked_); }

private:
  using Element = std::pair<uint32_t, int64_t>; // of registers: buffer, and where in it
  using Elements = std::map<Element, Lanes>;    // none: it is not known
  using Names = llvm::DenseMap<const Var *, Lanes>;

  // What `expr` is made of, over all statements: others are not run.
  void findNeeded(const Stmt *body, const Expr *expr);
  bool writesNeeded(const Stmt &stmt) const;
  void needOperandsOf(const Stmt &stmt);
  void needPartsOf(const Expr *expr);

  Lanes of(const Expr *expr);
  // False once the statement that asks is reached.
  bool run(const Stmt *stmt);
  bool runLoop(const For &loop);
  void runTrips(const For &loop, int64_t first, int64_t trips);
  bool runUntilSettled(const For &loop);
  void startIteration(const For &loop, const Elements &classes);
  bool refine(Elements &classes);
  bool runBranch(const If &branch);
  void join(const If &branch, const Lanes &condition, const Elements &whenTrue);
  void runStore(const Store &store);
  void runOp(const OpStmt &op);
  bool runMove(const OpStmt &op);
  bool runExchange(const OpStmt &op);
  Lanes exchanged(const OpStmt &op);

  void write(BufferId buffer, std::optional<int64_t> at, Lanes value);
  void forget(BufferId buffer);
  Elements writtenIn(const For &loop);
  Lanes read(BufferId buffer, std::optional<int64_t> at);
  Lanes loadMemory(BufferId buffer, llvm::ArrayRef<const Expr *> indices);
  std::optional<int64_t> placeOf(BufferId buffer, llvm::ArrayRef<const Expr *> indices);
  Lanes ofBinary(const Binary &binary);
  // The same for the same three, and for nothing else.
  Lanes number(const void *by, const Lanes &a, const Lanes &b);
  Lanes own();
  Lanes common() { return {next_++}; }
  bool isAround(const Stmt *stmt) const { return around_.contains(stmt); }

  const StmtPlaces &places_;
  const Stmt *asking_;
  Lanes asked_;
  llvm::DenseSet<const Stmt *> needed_;
  llvm::DenseSet<const Var *> neededNames_;
  llvm::DenseSet<uint32_t> neededBuffers_; // of registers
  llvm::DenseSet<const Stmt *> around_;    // what asks
  int64_t threads_;
  int64_t next_ = 1;
  int64_t steps_ = 0;
  bool isSettling_ = false;  // what asks is passed by
  bool isDivergent_ = false; // not all threads run the statement at hand, or not together
  llvm::DenseMap<std::pair<const void *, std::pair<int64_t, int64_t>>, int64_t> numbers_;
  LaneArithmetic lanes_;
  Elements elements_;
  Names names_;
};

} // namespace tilescope
