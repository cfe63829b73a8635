// T.barrier_arrive, T.mbarrier_arrive.
#include "core/frontend/mbarriers.h"

namespace tilescope::frontend {

Value tileMbarrierArrive(Args &args) {
  if (!args.refuse({"cta_id"}))
    return Value();
  return emitAtMbarrier(args, "mbarrier", Op::MbarrierArrive);
}

} // namespace tilescope::frontend
