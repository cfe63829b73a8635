// T.reduce: not lowered yet.
// TODO(reduce): fold the registers of a thread, then the threads of a row by warp shuffles.
#include "passes/lower/lower_context.h"

namespace tilescope {

const Stmt *lowerReduce(LowerContext &lower, const OpStmt &op) {
  return lower.fail(op.regions[0].buffer, "reductions are not lowered yet");
}

} // namespace tilescope
