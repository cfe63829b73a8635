// T.grid_barrier(): all threads of all blocks of the launch arrive, and see each other's writes to
// global memory too.
#include "core/ir/op.h"

namespace tilescope {

const OpInfo &infoOfGridBarrier() {
  static const OpInfo Info{.sync = OpSync::Barrier, .isOfGrid = true};
  return Info;
}

} // namespace tilescope
