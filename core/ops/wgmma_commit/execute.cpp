#include "core/exec/wgmma_product.h"

namespace tilescope {

void executeWgmmaCommit(const OpStmt &, ThreadGroup &group, Lanes lanes) {
  WgmmasInFlight::of(group.block()).commit(group, lanes);
}

void executeWgmmaCommit(const OpStmt &, BlockFrame &) {}

} // namespace tilescope
