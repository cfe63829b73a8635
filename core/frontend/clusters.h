// Clusters of blocks, in launches and in what stands in them.
#pragma once

#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// `cluster_dims` of a launch whose grid is known; false after reporting.
bool readCluster(Args &args, LaunchObject &launch);
// False after reporting: the target has none.
bool requireClusters(const Args &args);
// What the blocks of a cluster do together.
Value emitOfCluster(Args &args, Op op, llvm::ArrayRef<std::pair<Attr, int64_t>> attrs = {});
// Where blocks reach each other's memory the cluster meets: behind the beginning of the mbarriers
// that are reached, and at the end, since a block that has ended has no memory any more.
const Stmt *meetAroundReaches(Evaluation &evaluation, const Stmt *body);
// The axis that `dim` names; nullopt after reporting. In tile_kernel.cpp.
std::optional<size_t> launchAxis(Args &args);

} // namespace tilescope::frontend
