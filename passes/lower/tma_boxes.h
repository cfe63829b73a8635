// The boxes in which TMA moves a tile.
#pragma once

#include "passes/lower/lower_context.h"

namespace tilescope {

struct TmaBoxMove {
  BufferRegion inTensor, inTile;
};
// Of a matrix of the tile, or of panels of it, in an aligned swizzle: each box is as wide as that;
// or of its row.
llvm::SmallVector<TmaBoxMove> boxesOf(LowerContext &lower, const BufferRegion &inTensor,
                                      const BufferRegion &inTile);

// What is done with each box of a tile.
struct BoxOperation {
  Op op;
  llvm::SmallVector<std::pair<Attr, int64_t>, 1> attrs;
};
// One thread begins it, and waits for all of them at once. `reason`: why TMA cannot; "": it can.
// Null after reporting.
const Stmt *storeBoxes(LowerContext &lower, const OpStmt &op, const TmaBoxMove &whole,
                       const BoxOperation &operation, llvm::StringRef reason);

} // namespace tilescope
