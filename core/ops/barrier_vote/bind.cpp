// T.syncthreads_count, T.syncthreads_and, T.syncthreads_or.
#include "core/frontend/operation_results.h"

namespace tilescope::frontend {

static Value voteAtBarrier(Args &args, BarrierVoteKind kind) {
  bool isInLaunch = args.evaluation.requireLaunch(args.callee(), args.span) != nullptr;
  const Expr *predicate = isInLaunch ? toPredicate(args) : nullptr;
  if (!predicate)
    return Value();
  return emitWithResult(args, Op::BarrierVote, DType::int32(), {predicate},
                        {{Attr::Kind, static_cast<int64_t>(kind)}});
}

Value tileBarrierCount(Args &args) { return voteAtBarrier(args, BarrierVoteKind::Count); }
Value tileBarrierAnd(Args &args) { return voteAtBarrier(args, BarrierVoteKind::And); }
Value tileBarrierOr(Args &args) { return voteAtBarrier(args, BarrierVoteKind::Or); }

} // namespace tilescope::frontend
