// T.any_sync, T.all_sync, T.ballot, T.ballot_sync, T.match_any_sync,
// T.match_all_sync.
#include "core/frontend/operation_results.h"

namespace tilescope::frontend {

static Value vote(Args &args, VoteKind kind, DType result, const Expr *value) {
  std::optional<const Expr *> mask = toLaneMask(args, "mask");
  if (!mask)
    return Value();
  return emitWithResult(args, Op::Vote, result, {value, *mask},
                        {{Attr::Kind, static_cast<int64_t>(kind)}});
}

static Value voteOnPredicate(Args &args, VoteKind kind, DType result) {
  bool isInLaunch = args.evaluation.requireLaunch(args.callee(), args.span) != nullptr;
  const Expr *predicate = isInLaunch ? toPredicate(args) : nullptr;
  return predicate ? vote(args, kind, result, predicate) : Value();
}

static Value match(Args &args, VoteKind kind) {
  if (!args.evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  const Expr *value = toExpr(args.evaluation, args["value"], args.spanOf("value"));
  return value ? vote(args, kind, DType::uint32(), value) : Value();
}

Value tileAnySync(Args &args) { return voteOnPredicate(args, VoteKind::Any, DType::int32()); }
Value tileAllSync(Args &args) { return voteOnPredicate(args, VoteKind::All, DType::int32()); }
Value tileBallot(Args &args) { return voteOnPredicate(args, VoteKind::Ballot, DType::uint64()); }
Value tileMatchAny(Args &args) { return match(args, VoteKind::MatchAny); }
Value tileMatchAll(Args &args) { return match(args, VoteKind::MatchAll); }

} // namespace tilescope::frontend
