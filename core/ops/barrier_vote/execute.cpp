#include "core/exec/exchange.h"

namespace tilescope {

namespace {

int64_t resultOf(const OpStmt &op, int64_t votes, int64_t threads) {
  switch (static_cast<BarrierVoteKind>(op.attr(Attr::Kind))) {
  case BarrierVoteKind::Count:
    return votes;
  case BarrierVoteKind::And:
    return votes == threads;
  case BarrierVoteKind::Or:
    return votes != 0;
  }
  return 0;
}

void voteAtBarrier(const OpStmt &op, llvm::MutableArrayRef<ExchangeThread> block) {
  int64_t votes = 0;
  bool isDefined = true;
  for (const ExchangeThread &thread : block) {
    votes += thread.args[0].i != 0;
    isDefined &= thread.isDefined;
  }
  for (ExchangeThread &thread : block) {
    thread.result.i = resultOf(op, votes, static_cast<int64_t>(block.size()));
    thread.isResultDefined = isDefined;
  }
}

} // namespace

void executeBarrierVote(const OpStmt &op, BlockFrame &frame) { exchange(op, frame, voteAtBarrier); }

// The votes of a barrier are complete when the last warp has got there.
void executeBarrierVote(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  LaneValues predicate = group.evaluate(op.args[0], lanes);
  LaneRegion result = group.evaluate(op.regions[0], lanes);
  int64_t votes = 0;
  for (uint32_t lane : lanes)
    votes += predicate[lane].i != 0;
  group.arriveAtBarrier(BarrierScope::Block, lanes, votes, [=, &op, &group](int64_t all) {
    for (uint32_t lane : group.all())
      group.store(result, lane, 0, Number{.i = resultOf(op, all, group.block().threads)});
  });
}

} // namespace tilescope
