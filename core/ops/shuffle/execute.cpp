#include "core/exec/exchange.h"

namespace tilescope {

namespace {

// What lanes hold that take no part nobody can say.
void shuffle(const OpStmt &op, llvm::MutableArrayRef<ExchangeThread> warp) {
  for (uint32_t lane = 0; lane != warp.size(); ++lane) {
    if (!warp[lane].takesPart)
      continue;
    uint32_t source = op.opInfo().sourceLane(op, lane, warp[lane].args[1].i);
    bool isThere = source < warp.size() && warp[source].takesPart;
    warp[lane].result = isThere ? warp[source].args[0] : warp[lane].args[0];
    warp[lane].isResultDefined = isThere && warp[source].isDefined;
  }
}

} // namespace

void executeShuffle(const OpStmt &op, BlockFrame &frame) { exchange(op, frame, shuffle); }

void executeShuffle(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  exchange(op, group, lanes, shuffle);
}

} // namespace tilescope
