// T.shfl_sync, T.shfl_up, T.shfl_down, T.shfl_xor, and the forms of TVM.
#include "core/frontend/operation_results.h"

#include "llvm/ADT/bit.h"

namespace tilescope::frontend {

// Which lane follows the value, in the forms of TVM too.
static Value shuffle(Args &args, ShuffleKind kind) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  const Expr *value = toExpr(evaluation, args["value"], args.spanOf("value"));
  const Arg &lane = args.nth(args.info.name.starts_with("tvm_") ? 2 : 1);
  const Expr *from = value ? toExprOf(evaluation, DType::int32(), lane.value, lane.span) : nullptr;
  std::optional<int64_t> width = from ? args.integer("width", 32) : std::nullopt;
  std::optional<const Expr *> mask = width ? toLaneMask(args, "mask") : std::nullopt;
  if (!mask)
    return Value();
  if (*width < 1 || *width > 32 || !llvm::isPowerOf2_64(static_cast<uint64_t>(*width)))
    return args.wrongType("width", "a power of two up to 32");
  return emitWithResult(args, Op::Shuffle, value->dtype(), {value, from, *mask},
                        {{Attr::Kind, static_cast<int64_t>(kind)}, {Attr::Width, *width}});
}

Value tileShuffleIndex(Args &args) { return shuffle(args, ShuffleKind::Index); }
Value tileShuffleUp(Args &args) { return shuffle(args, ShuffleKind::Up); }
Value tileShuffleDown(Args &args) { return shuffle(args, ShuffleKind::Down); }
Value tileShuffleXor(Args &args) { return shuffle(args, ShuffleKind::Xor); }

} // namespace tilescope::frontend
