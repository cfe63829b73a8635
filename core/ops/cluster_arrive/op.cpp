// T.cluster_arrive(relaxed=False): all threads of the block arrive at the barrier of their cluster,
// and go on. What they did before is known to who waits, but for `relaxed`. PTX ISA,
// "barrier.cluster".
#include "core/ir/op.h"

namespace tilescope {

const OpInfo &infoOfClusterArrive() {
  static const AttrInfo Attrs[] = {{Attr::Relaxed, AttrType::Bool, /*defaultValue=*/0}};
  static const OpInfo Info{.attrs = Attrs, .sync = OpSync::ClusterArrive, .isOfCluster = true};
  return Info;
}

} // namespace tilescope
