#include "core/exec/mma_product.h"

namespace tilescope {

void executeMma(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  multiplyOfGroup(op, group, lanes,
                  [&](GroupRegisters &warp) { multiplyOfWarp(warp, op.attr(Attr::K)); });
}

void executeMma(const OpStmt &op, BlockFrame &frame) {
  forEachWarp(op, frame, [&](WarpRegisters &warp) { multiplyOfWarp(warp, op.attr(Attr::K)); });
}

} // namespace tilescope
