// T.barrier_wait, T.mbarrier_wait_parity.
#include "core/frontend/expr_operators.h"
#include "core/frontend/mbarriers.h"

namespace tilescope::frontend {

Value tileMbarrierWait(Args &args) {
  const Expr *parity = toIndex(args.evaluation, args["parity"], "a parity", args.spanOf("parity"));
  if (!parity)
    return Value();
  if (std::optional<int64_t> known = constantValue(parity); known && *known != 0 && *known != 1)
    return args.wrongType("parity", "0 or 1");
  return emitAtMbarrier(args, "mbarrier", Op::MbarrierWait, {parity});
}

} // namespace tilescope::frontend
