// Which expressions all threads of a block, or those of each warp, agree on. A barrier may stand
// only where every enclosing condition and trip count is of that kind.
//
//     if k + 2 < trips:        agreed
//     if tx < 32:              not; but those of each warp do
//     if tx + bx * 64 < 64:    of 64 threads all agreed, in one block so, in others not
//     for i in serial(n[tx]):  not, and neither is anything that depends on i
//     last = k + 1             a variable of each thread: agreed, if every store to it is, and is
//                              made where all threads get; so is what each copies from one place
//     if mask[k] != 0:         an element of a fragment: agreed, if whoever writes it would write
//                              the same: tile operations on what is agreed, iterations of their own
#pragma once

#include "core/analysis/lane_arithmetic.h"
#include "core/ir/module.h"

#include "llvm/ADT/DenseSet.h"

namespace tilescope {

class ThreadUniform {
public:
  explicit ThreadUniform(const Function &function, OpScope scope = OpScope::Block);

  // Memory that threads share is taken to be read where no thread is writing it.
  bool isUniform(const Expr *expr) const;
  // Whether threads that load the same elements of a buffer get the same.
  bool isUniformBuffer(BufferId buffer) const;
  // The condition of an if, the range of a loop and where it ends; true for any other statement.
  bool isUniform(const Stmt &stmt) const;
  // By thread, as far as the thread decides alone; empty: not known.
  Lanes valuesOf(const Expr *expr) const { return lanes_.evaluate(expr); }

private:
  // Where statements are that not all threads run, or not each iteration of the nest the same way.
  struct Flow {
    bool ofThreads = false;
    bool ofIterations = false;
    const Parallel *nest = nullptr;
  };
  // True if something was found to differ between threads that was not known to.
  bool learn(const Stmt &stmt, const Flow &flow);
  bool learnStore(const Store &store, const Flow &flow);
  bool learnOp(const OpStmt &op, const Flow &flow);
  Flow flowInside(const Stmt &stmt, const Flow &flow) const;
  // Whether every element that the iterations of the nest write gets what each thread would write.
  bool isSameOfIterations(const Store &store, const Parallel &nest) const;
  bool agreesInIterations(const Expr *expr, const Parallel &nest) const;
  bool isUniformTile(const OpStmt &op) const;
  void markSharedByRoles();
  bool isUniformMove(const OpStmt &op) const;
  bool isCommon(const OpStmt &op) const;
  bool agreesByParts(const Expr *expr) const;
  bool agreesByNumbers(const Expr *expr) const;
  bool isMadeOfAgreed(const Expr *expr) const;
  void bindThreads(const Stmt &stmt);
  // Whether the buffer is in registers and not known to differ.
  bool mayLearn(BufferId buffer) const;
  bool mark(const Var *var) { return divergent_.insert(var).second; }
  bool mark(BufferId buffer) { return divergentBuffers_.insert(buffer.value).second; }

  const Function &function_;
  OpScope scope_;
  mutable LaneArithmetic lanes_; // of threads; what variables are bound to of warps only
  llvm::DenseMap<const Var *, const Expr *> bound_;
  llvm::DenseSet<const Var *> divergent_;
  llvm::DenseSet<const For *> divergentLoops_; // that some threads end before others
  const For *loop_ = nullptr;                  // the innermost around what is learned from
  llvm::DenseSet<uint32_t> divergentBuffers_;  // of registers
};

} // namespace tilescope
