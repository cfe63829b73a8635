// Which elements of global memory each block writes, found without computing anything: what a
// sample of output tiles is chosen with.
#pragma once

#include "core/exec/block_frame.h"

#include <optional>

namespace tilescope {

// A box of a global tensor, half-open in each dimension.
struct Box {
  BufferId buffer;
  llvm::SmallVector<int64_t> begin;
  llvm::SmallVector<int64_t> end;

  bool intersects(const Box &other) const;
};

struct Footprint {
  std::vector<Box> writes;
  double flop = 0; // of gemms
};

// The footprint of the block that `frame` describes (its block variables are bound); nothing if it
// depends on data, so that no sample can be chosen.
std::optional<Footprint> computeFootprint(const Stmt *body, BlockFrame &frame);

} // namespace tilescope
