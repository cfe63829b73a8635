// T.dp4a(A, B, C): four bytes each from where A and B start, and the element where C does.
#include "core/frontend/result_registers.h"

namespace tilescope::frontend {

Value tileDp4a(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  std::optional<Operand> a = toRun(args, "A", 4);
  std::optional<Operand> b = a ? toRun(args, "B", 4) : std::nullopt;
  std::optional<Operand> c = b ? toRun(args, "C", 1) : std::nullopt;
  if (!c)
    return Value();
  Context &context = evaluation.context;
  evaluation.kernel->emit(
      evaluation.ir.op(evaluation.ir.fresh(args.span), Op::Dp4a,
                       {a->region(context), b->region(context), c->region(context)}));
  return Value::none();
}

} // namespace tilescope::frontend
