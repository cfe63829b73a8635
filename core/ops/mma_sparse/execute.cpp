#include "core/exec/mma_product.h"

namespace tilescope {

void executeMmaSparse(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  multiplyOfGroup(op, group, lanes, [&](GroupRegisters &warp) {
    multiplyOfWarp(warp, op.attr(Attr::K), op.attr(Attr::Selector));
  });
}

void executeMmaSparse(const OpStmt &op, BlockFrame &frame) {
  forEachWarp(op, frame, [&](WarpRegisters &warp) {
    multiplyOfWarp(warp, op.attr(Attr::K), op.attr(Attr::Selector));
  });
}

} // namespace tilescope
