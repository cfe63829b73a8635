// A launch in which one block does what the blocks of a cluster do, one after the other:
//
//     with T.Kernel(8, cluster_dims=[2, 1, 1]) as (bx, tx):       with T.Kernel(8 // 2) as (c, tx):
//       W[bx] = x                                          as       for r in serial(2):
//                                                                     W[c * 2 + r] = x
//
// What its blocks touch both, two clusters do. Barriers of clusters mean nothing there.
#pragma once

#include "core/ir/module.h"

#include "llvm/ADT/DenseMap.h"

namespace tilescope {

class ClusterBlocks {
public:
  ClusterBlocks(const Function &function, const Launch &launch);

  // Of what follows.
  Context &context() { return context_; }
  const Function &function() const { return *function_; }
  const Launch &launch() const { return *launch_; }
  // Of a statement of that launch: the one that it stands for.
  const Stmt *originalOf(const Stmt *stmt) const { return originals_.lookup(stmt->id().value); }

private:
  Context context_;
  const Function *function_ = nullptr;
  const Launch *launch_ = nullptr;
  llvm::DenseMap<uint32_t, const Stmt *> originals_;
};

} // namespace tilescope
