// What two blocks that touch one element have in common.
//
//     C[by * 64 + tx // 8, bx * 32 + tx % 8]     by and bx: each element has one block
//     C[bx // 2, tx]                             bx // 2 and no more
//     C[bx * 16 + j]     for j in 0 .. 31        nothing: blocks overlap
//     C[t // 8, t % 8]   t = bx + 132 * wave     bx
//     C[t // 8 % 64, t // 512 * 8 + t % 8]       bx, by running all blocks and waves
//
// All accesses count together: what two of them touch has to say the same of the blocks of both.
#pragma once

#include "core/analysis/ir_affine.h"

namespace tilescope {

// A box of elements of one buffer, and what is known where it is touched.
struct BlockAccess {
  struct Axis {
    Affine first;
    Affine count;
  };
  llvm::SmallVector<Axis, 3> axes;
  llvm::SmallVector<Affine, 3> strides; // of each axis, if two coordinates may be one place
  std::vector<Affine> facts;            // not negative
};

class BlockSeparation {
public:
  // `affine` knows what is in the launch.
  BlockSeparation(IrAffine &affine, const Launch &launch);

  // The coordinates of blocks in which those that touch one element may differ. Elements are taken
  // to be inside of their buffer.
  llvm::SmallVector<const Var *, 3> findUntold(llvm::ArrayRef<BlockAccess> accesses);
  // Whether they touch no element both, whatever the blocks.
  bool areApart(const BlockAccess &a, const BlockAccess &b);

private:
  IrAffine &affine_;
  const Launch &launch_;
  llvm::DenseSet<const Var *> inside_; // what may differ between threads, or from time to time
};

} // namespace tilescope
