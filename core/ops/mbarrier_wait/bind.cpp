// T.barrier_wait, T.mbarrier_wait_parity.
#include "core/frontend/expr_operators.h"
#include "core/frontend/mbarriers.h"

namespace tilescope::frontend {

Value tileMbarrierWait(Args &args) {
  const Expr *parity = toIndex(args.evaluation, args["parity"], "a parity", args.spanOf("parity"));
  return parity ? emitAtMbarrier(args, "mbar", Op::MbarrierWait, {parity}) : Value();
}

} // namespace tilescope::frontend
