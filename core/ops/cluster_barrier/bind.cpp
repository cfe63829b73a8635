// T.cluster_sync.
#include "core/frontend/clusters.h"

namespace tilescope::frontend {

Value tileClusterSync(Args &args) { return emitOfCluster(args, Op::ClusterBarrier); }

} // namespace tilescope::frontend
