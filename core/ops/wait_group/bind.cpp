// T.ptx_wait_group.
#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

Value tileWaitGroup(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  std::optional<int64_t> pending = kernel ? args.integer("num") : std::nullopt;
  if (!pending)
    return Value();
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::WaitGroup, {}, {},
                                {{Attr::Pending, *pending}}));
  return Value::none();
}

} // namespace tilescope::frontend
