#include "core/exec/wgmma_product.h"

namespace tilescope {

void executeWgmmaWait(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  WgmmasInFlight::of(group.block()).wait(group, lanes, op.attr(Attr::Pending));
  group.setStatement(op);
}

void executeWgmmaWait(const OpStmt &, BlockFrame &) {}

} // namespace tilescope
