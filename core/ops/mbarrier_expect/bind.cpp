// T.mbarrier_expect_tx, T.mbarrier_arrive_expect_tx: one thread does it.
#include "core/frontend/mbarriers.h"
#include "core/hopper/mbarrier.h"

namespace tilescope::frontend {

static Value emitExpect(Args &args, Op op) {
  std::optional<int64_t> bytes = args.integer("tx");
  if (!bytes)
    return Value();
  if (*bytes < 1 || *bytes > MbarrierMaxCount)
    return args.wrongType("tx", "1 to 2^20 - 1 bytes");
  return emitAtMbarrier(args, "mbarrier", op, {}, {{Attr::Bytes, *bytes}});
}

Value tileMbarrierExpect(Args &args) { return emitExpect(args, Op::MbarrierExpect); }
Value tileMbarrierArriveExpect(Args &args) { return emitExpect(args, Op::MbarrierArriveExpect); }

} // namespace tilescope::frontend
