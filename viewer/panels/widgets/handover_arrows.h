// Arrows between roles: from where one arrives at an mbarrier to where another waits for that
// phase.
#pragma once

#include "core/views/stages_handovers.h"
#include "viewer/panels/widgets/role_plot.h"

namespace tilescope {

// `plots`: of the roles of the view, in their order. Those of the statement that is shown stand
// out.
void drawHandovers(const Picture &picture, const Box &plot, llvm::ArrayRef<RolePlot> plots,
                   llvm::ArrayRef<StagesHandover> handovers, const ShownPick &shown);

} // namespace tilescope
