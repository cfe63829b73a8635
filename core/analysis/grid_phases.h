// Which statements of a launch blocks may run at the same time: nothing orders them but barriers of
// the grid.
//
//     W[bx] = 1               from the start
//     grid_barrier()
//     for k in serial(n):
//       x = W[k]              from the first barrier, or from the second
//       grid_barrier()
//       W[bx] = x             from the second barrier
//     B[bx] = x               from the first barrier, or from the second
//
// Two statements may run at the same time if there is something from which both are reached with no
// barrier of the grid on the way; of blocks of one cluster, none of their cluster either. All
// blocks are taken to come to the same barriers in the same order (`core/driver/verify_warps.h`
// asks for that). The two halves of a barrier of a cluster are taken to order nothing.
#pragma once

#include "core/ir/module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace tilescope {

class GridPhases {
public:
  // `blocks`: that are asked about.
  enum class Blocks : uint8_t { OfGrid, OfCluster };
  explicit GridPhases(const Launch &launch, Blocks blocks = Blocks::OfGrid);

  bool mayMeet(const Stmt *a, const Stmt *b) const;

private:
  // What the barriers are by which a place may have been reached, null for the start.
  using Starts = llvm::SmallVector<const Stmt *, 2>;

  bool isBarrier(const Stmt *stmt) const;
  Starts walkOver(const Stmt *stmt, Starts starts);
  Starts walkLoop(const For &loop, Starts starts);
  static bool addAll(Starts &to, const Starts &from);

  Blocks blocks_;
  // Without barriers: empty.
  llvm::DenseMap<const Stmt *, Starts> starts_;
};

} // namespace tilescope
