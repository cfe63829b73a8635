// Which elements of global memory each block writes and how much work it is, found without
// computing anything: what a sample of output tiles is chosen with.
#pragma once

#include "core/exec/block_frame.h"

namespace tilescope {

// A box of a global tensor, half-open in each dimension.
struct TensorBox {
  BufferId buffer;
  llvm::SmallVector<int64_t> begin;
  llvm::SmallVector<int64_t> end;

  bool intersects(const TensorBox &other) const;
};

// What a block may write and how much it computes. Where that depends on data or on the thread, a
// branch is taken both ways, a loop once, and an index may be anywhere.
struct Footprint {
  std::vector<TensorBox> writes; // at least what it writes
  double flop = 0;               // of gemms
  bool isFlopKnown = true;
  // Of everything, in operations of a gemm that would take the CPU as long; at least so much.
  double work = 0;
};

// The footprint of the block that `frame` describes (its block variables are bound); the launch has
// so many threads that are told apart.
Footprint computeFootprint(const Stmt *body, BlockFrame &frame, int64_t threads);

} // namespace tilescope
