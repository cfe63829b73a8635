// T.fence_proxy_async.
#include "core/frontend/mbarriers.h"

namespace tilescope::frontend {

Value tileFenceProxyAsync(Args &args) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel || !requireOnTarget(args))
    return Value();
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), Op::ProxyFence, {}));
  return Value::none();
}

} // namespace tilescope::frontend
