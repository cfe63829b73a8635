// Threads of a block that wait for each other at different places, as roles do and as threads that
// arrive at a named barrier where others wait: each lot of threads that is at one place is a
// strand, and they run one at a time.
//
//     with T.ws(1):  copies               strand 1: waits at `empty`
//         wait(empty[k % 2]) ...
//     with T.ws(0):  computes             strand 0: runs until it waits, too
//         wait(full[k % 2]) ...
//     T.copy(...)                         both are one again
//
// The strand that has come least far runs, until it waits or one that may run is less far; so where
// nobody waits statements run one after the other for all threads, as without strands. Those that
// get to one place are one strand from there on. Where none can go on the kernel is wrong.
#pragma once

#include "core/exec/thread_code.h"

#include <list>

namespace tilescope {

class StrandRun {
public:
  // Runs a statement in which nobody waits, for threads of the role around it, null: there is none;
  // adds those that end the innermost loop around it to `ended`.
  using RunStmt = llvm::function_ref<void(const Stmt &stmt, llvm::ArrayRef<int64_t> active,
                                          const Role *role, llvm::SmallVector<int64_t> &ended)>;

  StrandRun(const ThreadCode &code, BlockFrame &frame, RunStmt runStmt)
      : code_(code), frame_(frame), runStmt_(runStmt),
        isHeld_(static_cast<size_t>(frame.threads())) {}

  void run(const Stmt *body, llvm::ArrayRef<int64_t> threads);

private:
  // A loop, or a sequence, as which any other statement is one of itself.
  struct Entry {
    const Stmt *stmt = nullptr;
    int64_t side = 0;                  // of a condition: 1 where it does not hold
    int64_t next = 0;                  // child, or iteration
    const Role *role = nullptr;        // around it
    std::vector<int64_t> first, trips; // of a loop, by thread of the block
    llvm::SmallVector<int64_t> ended;  // of a loop

    bool isLoop() const { return !trips.empty(); }
  };
  enum class State : uint8_t { Runs, AtPhase, AtNamed, AtOthers };
  struct Strand {
    llvm::SmallVector<int64_t> threads; // ascending
    std::vector<Entry> stack;
    BlockFrame::Names names = BlockFrame::Names();
    State state = State::Runs;
  };
  struct Meeting {
    int64_t threads = 0; // that it takes
    int64_t arrived = 0;
    llvm::SmallVector<int64_t> waiting;
  };

  Strand *choose();
  bool canGoOn(Strand &strand);
  void runUntilItWaits(Strand &strand);
  void advance(Strand &strand);
  void enterFor(Strand &strand, const For &loop);
  void advanceFor(Strand &strand, const For &loop);
  void enterIf(Strand &strand, const If &branch);
  void waitAt(Strand &strand, const OpStmt &op);
  void arriveAt(const OpStmt &op, Strand &strand);
  void letGo(Meeting &meeting);
  void runHere(Strand &strand, const Stmt &stmt);
  // Whether others have to come before it can be run.
  bool needsOthers(const Strand &strand, const Stmt &stmt) const;
  bool hasEnded(const OpStmt &wait, int64_t thread);
  // The threads go on by themselves, from where the strand is.
  Strand &split(Strand &strand, llvm::ArrayRef<int64_t> threads);
  void mergeInto(Strand &strand);
  bool isOneLessFar(const Strand &strand);
  void failWaiting();
  std::string waitText(Strand &strand);

  static llvm::ArrayRef<const Stmt *> childrenOf(const Entry &entry);
  static const Stmt &stmtOf(const Strand &strand);
  // Below zero: `a` has come less far.
  static int compare(const Strand &a, const Strand &b);

  const ThreadCode &code_;
  BlockFrame &frame_;
  RunStmt runStmt_;
  std::list<Strand> strands_;
  std::map<int64_t, Meeting> named_; // that some have arrived at, by number
  std::vector<bool> isHeld_;         // by thread: at a named barrier
};

} // namespace tilescope
