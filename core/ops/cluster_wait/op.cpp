// T.cluster_wait(): until all threads of the blocks of a cluster have arrived at its barrier; each
// has done so itself before. PTX ISA, "barrier.cluster".
#include "core/ir/op.h"

namespace tilescope {

const OpInfo &infoOfClusterWait() {
  static const OpInfo Info{.sync = OpSync::ClusterWait, .isOfCluster = true};
  return Info;
}

} // namespace tilescope
