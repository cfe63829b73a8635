// T.cluster_barrier(): all threads of the blocks of a cluster arrive, and see each other's writes
// to memory. PTX ISA, "barrier.cluster".
#include "core/ir/op.h"

namespace tilescope {

const OpInfo &infoOfClusterBarrier() {
  static const OpInfo Info{.sync = OpSync::Barrier, .isOfCluster = true};
  return Info;
}

} // namespace tilescope
