// T.tma_copy: a T.tma_load for each box of the tile, as wide as its swizzle.
//
//     T.tma_copy(B[k * 64, 0:128], B_shared[0:64, 0:128], full)
//  =>
//     T.tma_load(B[k * 64, 0:64], B_shared[0:64, 0:64], full)
//     T.tma_load(B[k * 64, 64:128], B_shared[0:64, 64:128], full)
#include "core/analysis/select_tma.h"
#include "passes/lower/tma_boxes.h"

namespace tilescope {

const Stmt *lowerTmaCopy(LowerContext &lower, const OpStmt &op) {
  const BufferRegion &tile = op.regions[1];
  const Buffer &buffer = lower.buffer(tile.buffer);
  std::string reason = whyNotByTma(lower.context(), lower.function(), lower.pass().target, op);
  if (!reason.empty())
    return lower.fail(tile.buffer, "TMA cannot copy it: " + reason);
  if (!buffer.layout || !buffer.layout->isAligned)
    return lower.fail(tile.buffer, "boxes are copied to aligned swizzles and rows only");
  llvm::SmallVector<const Stmt *> loads;
  for (const TmaBoxMove &move : boxesOf(lower, op.regions[0], tile)) {
    const BufferRegion regions[] = {move.inTensor, move.inTile, op.regions[2]};
    loads.push_back(lower.builder().op(lower.info(), Op::TmaLoad, regions, {},
                                       {{Attr::ClusterMask, op.attr(Attr::ClusterMask)}}));
  }
  return lower.seq(loads);
}

} // namespace tilescope
