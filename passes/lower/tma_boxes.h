// The boxes in which TMA moves a tile.
#pragma once

#include "passes/lower/lower_context.h"

namespace tilescope {

struct TmaBoxMove {
  BufferRegion inTensor, inTile;
};
// Of a matrix of the tile, or of panels of it, in an aligned swizzle: each box is as wide as that.
llvm::SmallVector<TmaBoxMove> boxesOf(LowerContext &lower, const BufferRegion &inTensor,
                                      const BufferRegion &inTile);

} // namespace tilescope
