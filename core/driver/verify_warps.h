// The kernel as written: do the lanes that find something out together get there together?
#pragma once

#include "core/ir/module.h"
#include "core/support/diagnostics.h"

namespace tilescope {

// Reports each exchange or barrier of a warp to which other lanes get than it takes
// (core/analysis/warp_convergence.h), and each barrier of some threads to which others get
// (core/analysis/named_barriers.h), or of the grid or a cluster, to which not all of its blocks may
// get, or of whose halves one may be missing: as an error where that is certain, as a warning where
// it is not shown that they do not. False if there is an error.
bool verifyWarps(const Function &function, Diagnostics &diagnostics);

} // namespace tilescope
