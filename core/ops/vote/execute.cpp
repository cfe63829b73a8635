#include "core/exec/exchange.h"

namespace tilescope {

namespace {

using Warp = llvm::MutableArrayRef<ExchangeThread>;

// A bit for each lane that takes part and of which `holds` says so.
uint64_t lanesWhere(Warp warp, llvm::function_ref<bool(const ExchangeThread &)> holds) {
  uint64_t bits = 0;
  for (size_t lane = 0; lane != warp.size(); ++lane)
    if (warp[lane].takesPart && holds(warp[lane]))
      bits |= uint64_t{1} << lane;
  return bits;
}

uint64_t resultOf(VoteKind kind, Warp warp, const ExchangeThread &own) {
  uint64_t all = lanesWhere(warp, [](const ExchangeThread &) { return true; });
  uint64_t where = lanesWhere(warp, [](const ExchangeThread &lane) { return lane.args[0].i != 0; });
  uint64_t equal =
      lanesWhere(warp, [&](const ExchangeThread &lane) { return lane.args[0].i == own.args[0].i; });
  switch (kind) {
  case VoteKind::Any:
    return where != 0;
  case VoteKind::All:
    return where == all;
  case VoteKind::Ballot:
    return where;
  case VoteKind::MatchAny:
    return equal;
  case VoteKind::MatchAll:
    return equal == all ? all : 0;
  }
  return 0;
}

void vote(const OpStmt &op, Warp warp) {
  bool isDefined = true;
  for (const ExchangeThread &lane : warp)
    isDefined &= !lane.takesPart || lane.isDefined;
  for (ExchangeThread &lane : warp) {
    lane.result.i =
        static_cast<int64_t>(resultOf(static_cast<VoteKind>(op.attr(Attr::Kind)), warp, lane));
    lane.isResultDefined = isDefined;
  }
}

} // namespace

void executeVote(const OpStmt &op, BlockFrame &frame) { exchange(op, frame, vote); }

void executeVote(const OpStmt &op, ThreadGroup &group, Lanes lanes) {
  exchange(op, group, lanes, vote);
}

} // namespace tilescope
