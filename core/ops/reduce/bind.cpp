// T.reduce_sum, T.reduce_max and the like.
#include "core/frontend/tile_operands.h"

namespace tilescope::frontend {

// Whether the result is one of the elements, which a NaN can be or not.
static bool choosesOne(ReduceKind kind) {
  return kind == ReduceKind::Max || kind == ReduceKind::Min || kind == ReduceKind::AbsMax;
}

static Value reduce(Args &args, ReduceKind kind) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  // `batch` only groups the exchange between threads.
  std::optional<Operand> source = kernel ? toTile(args, "buffer") : std::nullopt;
  std::optional<Operand> out = source ? toOperand(args, "out") : std::nullopt;
  std::optional<int64_t> dim = out ? args.integer("dim", -1) : std::nullopt;
  std::optional<bool> clear = dim ? args.boolean("clear", true) : std::nullopt;
  std::optional<bool> nanWins = clear ? args.boolean("nan_propagate") : std::nullopt;
  if (!nanWins)
    return Value();
  bool isOfFloats = out->buffer->draft.dtype.isFloat();
  auto rank = static_cast<int64_t>(source->axes.size());
  if (*dim < -rank || *dim >= rank)
    return evaluation.fail(DiagId::ItemOutOfRange, args.spanOf("dim"), *dim, rank);
  Context &context = evaluation.context;
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Reduce,
                                {source->region(context), out->region(context)}, {},
                                {{Attr::Kind, static_cast<int64_t>(kind)},
                                 {Attr::Dim, *dim < 0 ? *dim + rank : *dim},
                                 {Attr::Clear, *clear},
                                 {Attr::NanWins, *nanWins && choosesOne(kind) && isOfFloats}}));
  return Value::none();
}

Value tileReduceSum(Args &args) { return reduce(args, ReduceKind::Sum); }
Value tileReduceMax(Args &args) { return reduce(args, ReduceKind::Max); }
Value tileReduceMin(Args &args) { return reduce(args, ReduceKind::Min); }
Value tileReduceAbsMax(Args &args) { return reduce(args, ReduceKind::AbsMax); }
Value tileReduceAbsSum(Args &args) { return reduce(args, ReduceKind::AbsSum); }
Value tileReduceBitAnd(Args &args) { return reduce(args, ReduceKind::BitAnd); }
Value tileReduceBitOr(Args &args) { return reduce(args, ReduceKind::BitOr); }
Value tileReduceBitXor(Args &args) { return reduce(args, ReduceKind::BitXor); }

} // namespace tilescope::frontend
