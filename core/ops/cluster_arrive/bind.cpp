// T.cluster_arrive, T.cluster_arrive_relaxed.
#include "core/frontend/clusters.h"

namespace tilescope::frontend {

Value tileClusterArrive(Args &args) { return emitOfCluster(args, Op::ClusterArrive); }

Value tileClusterArriveRelaxed(Args &args) {
  return emitOfCluster(args, Op::ClusterArrive, {{Attr::Relaxed, 1}});
}

} // namespace tilescope::frontend
