// Which threads of a launch get to an operation, as far as their numbers decide.
//
//     if tx < 64:
//       op                     threads 0 to 63
//     if A[tx] > 0:
//       op                     not known, and the `if` divides them
//     for i in serial(tx):
//       op                     not known, nor in which iteration
#pragma once

#include "core/analysis/thread_uniform.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

class ActiveThreads {
public:
  // What all threads of `scope`, the block or a warp, agree on keeps none of them away.
  ActiveThreads(const Function &function, OpScope scope)
      : function_(function), uniform_(function, scope), lanes_(function, OpScope::Warp) {}

  // Calls `visit` for each operation, in the order of the function, as written or lowered.
  void walk(llvm::function_ref<void(const OpStmt &op)> visit) { walkOver(function_.body, visit); }

  // Inside `visit`: of each thread of the launch whether it gets there; if not known, it may.
  const std::vector<bool> &threads() const { return active_; }
  bool areKnown() const { return isKnown_; }
  // The innermost statement that keeps threads away, or may; null: nothing does.
  const Stmt *dividedBy() const { return dividedBy_; }

private:
  using Visit = llvm::function_ref<void(const OpStmt &op)>;

  void walkOver(const Stmt *stmt, Visit visit);
  void enter(const If &branch, const Stmt *body, bool holds, Visit visit);

  const Function &function_;
  ThreadUniform uniform_;
  ThreadUniform lanes_; // of warps, which knows of each thread
  std::vector<bool> active_;
  bool isKnown_ = true;
  const Stmt *dividedBy_ = nullptr;
};

} // namespace tilescope
