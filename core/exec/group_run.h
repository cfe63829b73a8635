// Runs a statement for a group of threads, up to where they must wait for others; then it can be
// gone on with. What is still to be done stands on a stack of its own:
//
//   Seq [a; For k < 4: [b; barrier; c]]      Seq  next 2
//   stopped at the barrier of k = 1:         For  k = 1, of 4
//                                            Seq  next 2          top: goes on with c
//
// Until barriers are placed a group is all threads of the block. Of roles that follow one another
// then each runs until it waits for a phase, and then another one.
#pragma once

#include "core/exec/thread_group.h"

namespace tilescope {

class GroupRun {
public:
  // What a launch inside of the statement means, to those who run host code.
  using OnLaunch = llvm::function_ref<void(const Launch &)>;

  GroupRun(ThreadGroup &group, const Stmt *body) : group_(group), body_(body) {}

  // Until the group waits for others, or has ended. False: it did not go on.
  bool run(OnLaunch onLaunch = {});
  bool hasEnded() const { return !body_ && stack_.empty() && around_.empty(); }

private:
  struct Entry {
    const Stmt *stmt = nullptr;
    llvm::SmallVector<uint32_t, 32> lanes;
    size_t next = 0;                       // Seq: child; For: iteration; If: branch
    LaneValues first, trips;               // For
    llvm::SmallVector<uint32_t, 32> other; // If: of the second branch
  };
  // One that does not run.
  struct RoleRun {
    const Stmt *stmt = nullptr; // that is to be begun, or where it waits
    std::vector<Entry> stack;   // empty: it is to be begun
    std::function<bool()> hasPhaseEnded;
  };
  void enter(const Stmt *stmt, Lanes lanes, OnLaunch onLaunch);
  bool beginRoles(Entry &entry);
  bool changeRole(OnLaunch onLaunch);
  void advance(OnLaunch onLaunch);
  void advanceFor(Entry &entry, const For &loop, OnLaunch onLaunch);
  void advanceIf(Entry &entry, const If &branch, OnLaunch onLaunch);
  void runLeaf(const Stmt &stmt, Lanes lanes, OnLaunch onLaunch);
  void meetBehindStatement();
  llvm::SmallVector<LoopValue> loopsAround(uint32_t lane) const;
  uint32_t firstOfRole() const;
  void endLoop(Lanes lanes);
  void runStore(const Store &store, Lanes lanes);
  void runBind(const Bind &bind, Lanes lanes);
  void runOp(const OpStmt &op, Lanes lanes);

  ThreadGroup &group_;
  const Stmt *body_; // null: it has begun
  std::vector<Entry> stack_;
  std::vector<Entry> around_; // roles, while they run; else empty
  std::vector<RoleRun> roles_;
};

} // namespace tilescope
