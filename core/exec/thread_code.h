// What single threads of a block do: everything outside of parallel loops and tile operations.
//
//     tx = T.get_thread_binding()      each thread has a value of its own
//     s[tx] = A[tx] * 2.0              all threads read, then all threads write
//     T.sync_threads()                 all threads get here, or the kernel is wrong
//     if tx < 32:                      the body runs for 32 of them
//       acc[0] = acc[0] + s[tx + 32]   acc = T.alloc_local(...): one for each thread
//     T.copy(s, B)                     work of all threads together
//
// Statement by statement, each for all threads that get to it before the next begins: as between
// two barriers, which the compiler puts where threads hand over shared memory. Where threads wait
// for each other at different places: strands.h.
#pragma once

#include "core/exec/block_frame.h"

#include "llvm/ADT/DenseSet.h"

namespace tilescope {

// How the statements of one launch are shared out over threads.
class ThreadCode {
public:
  ThreadCode(const Function &function, const Launch &launch);

  // Whether threads are told apart at all. Where they are not, all do the same, so one is run.
  bool tellsThreadsApart() const { return tellsThreadsApart_; }
  int64_t threads() const { return tellsThreadsApart_ ? launch_.threads : 1; }
  // A tile operation or parallel loop that every thread does by itself, whole: on own memory.
  bool isDoneByEach(const Stmt &stmt) const { return doneByEach_.contains(&stmt); }
  // Whether threads wait in it for others, at an mbarrier or a named barrier (strands.h).
  bool hasWaits(const Stmt &stmt) const { return waits_.contains(&stmt); }
  // Of a launch where threads wait: whether something in it is work of all threads together.
  bool isOfAll(const Stmt &stmt) const { return ofAll_.contains(&stmt); }

  // What threads that get there find out from each other: it is run once, for all of them.
  static bool isExchange(const Stmt &stmt);

  // Runs the body of the launch for the block that `frame` has started.
  void run(BlockFrame &frame) const;

private:
  void classify(const Function &function, const Stmt &stmt);
  void findWaits();
  bool isDoneTogether(const Stmt &stmt) const;

  const Launch &launch_;
  bool tellsThreadsApart_ = false;
  llvm::DenseSet<const Stmt *> doneByEach_;
  llvm::DenseSet<const Stmt *> waits_, ofAll_; // with all that they stand in
};

} // namespace tilescope
