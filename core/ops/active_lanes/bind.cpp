// T.activemask.
#include "core/frontend/operation_results.h"

namespace tilescope::frontend {

Value tileActiveMask(Args &args) {
  if (!args.evaluation.requireLaunch(args.callee(), args.span))
    return Value();
  return emitWithResult(args, Op::ActiveLanes, DType::uint64(), {}, {});
}

} // namespace tilescope::frontend
