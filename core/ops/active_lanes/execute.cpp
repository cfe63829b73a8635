#include "core/exec/exchange.h"

namespace tilescope {

namespace {

void findActive(const OpStmt &, llvm::MutableArrayRef<ExchangeThread> warp) {
  int64_t lanes = 0;
  for (size_t lane = 0; lane != warp.size(); ++lane)
    lanes |= int64_t{warp[lane].takesPart} << lane;
  for (ExchangeThread &thread : warp)
    thread.result.i = lanes;
}

} // namespace

void executeActiveLanes(const OpStmt &op, BlockFrame &frame) { exchange(op, frame, findActive); }

void executeActiveLanes(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  exchange(op, group, lanes, findActive);
}

} // namespace tilescope
