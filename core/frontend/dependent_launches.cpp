#include "core/frontend/dependent_launches.h"

namespace tilescope::frontend {

Value emitOfDependentLaunch(Args &args, Op op) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel)
    return Value();
  const Target *device = evaluation.device;
  if (device && !device->hasDependentLaunches())
    return evaluation.fail(DiagId::NotOnTarget, args.span, args.callee(), "sm_90", device->name);
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), op, {}));
  return Value::none();
}

} // namespace tilescope::frontend
