#include "core/exec/block_frame.h"
#include "core/exec/foreign_code.h"
#include "core/exec/thread_group.h"

namespace tilescope {

void executeCallExtern(const OpStmt &op, BlockFrame &frame) {
  frame.fail(op, "what " + nameOfForeignCall(op) + " computes is not known");
}

void executeCallExtern(const OpStmt & /*op*/, ThreadGroup & /*group*/, Lanes /*lanes*/) {
  assert(false && "kernels with foreign code are not run");
}

} // namespace tilescope
