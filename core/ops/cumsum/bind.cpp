#include "core/frontend/tile_operands.h"

namespace tilescope::frontend {

static Value scan(Args &args, ReduceKind kind) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<Operand> source = kernel ? toTile(args, "src") : std::nullopt;
  bool isInPlace = !args["dst"] || args["dst"].isNone();
  std::optional<Operand> sums = source && !isInPlace ? toTile(args, "dst") : source;
  std::optional<int64_t> dim = sums ? args.integer("dim", 0) : std::nullopt;
  std::optional<bool> reverse = dim ? args.boolean("reverse", false) : std::nullopt;
  if (!reverse)
    return Value();
  auto rank = static_cast<int64_t>(source->axes.size());
  if (*dim < -rank || *dim >= rank)
    return evaluation.fail(DiagId::ItemOutOfRange, args.spanOf("dim"), *dim, rank);
  Context &context = evaluation.context;
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Cumsum,
                                {source->region(context), sums->region(context)}, {},
                                {{Attr::Dim, *dim < 0 ? *dim + rank : *dim},
                                 {Attr::Reverse, *reverse},
                                 {Attr::Kind, static_cast<int64_t>(kind)}}));
  return Value::none();
}

Value tileCumsum(Args &args) { return scan(args, ReduceKind::Sum); }
Value tileCummax(Args &args) { return scan(args, ReduceKind::Max); }

} // namespace tilescope::frontend
