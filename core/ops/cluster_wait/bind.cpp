// T.cluster_wait.
#include "core/frontend/clusters.h"

namespace tilescope::frontend {

Value tileClusterWait(Args &args) { return emitOfCluster(args, Op::ClusterWait); }

} // namespace tilescope::frontend
