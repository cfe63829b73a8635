#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/expr_operators.h"

namespace tilescope::frontend {

// TileLang adds to a message where the statement stands; ours know that anyway.
Value tileDeviceAssert(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (!evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  std::optional<std::string> message = args.text("msg");
  const Expr *condition =
      message ? toCondition(evaluation, args["condition"], args.spanOf("condition")) : nullptr;
  if (!condition)
    return Value();
  evaluation.kernel->emit(
      evaluation.ir.op(evaluation.ir.fresh(args.span), Op::DeviceAssert, {}, condition,
                       {{Attr::Message, evaluation.context.textNumber(*message)}}));
  return Value::none();
}

} // namespace tilescope::frontend
