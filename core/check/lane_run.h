// One execution of a program of roles and mbarriers: what each thread knows at each of its steps
// then, and whether it comes to its end. Threads make one step each, round after round; what is
// copied arrives at once.
//
//   load      wait empty[0]   copy -> full[0]   wait empty[1]   ...
//   compute   .               .                 wait full[0]    read   arrive empty[0]   ...
//
// An order that this execution lacks, the program lacks: so faults are shown, never their absence.
#pragma once

#include "core/access/step_order.h"

namespace tilescope {

struct LaneRun {
  // Its strands are single threads: of each lane the elected one, and of the others as many as it
  // takes to tell what they do to each other. Not known: what it does cannot be followed.
  StepOrder order;
  StmtId stuckAt; // a thread waits here and nothing is left that could end it
};

// `outsideLane`: whose elected thread does what one thread does outside of the roles.
LaneRun runLanes(const AccessProgram &program, const LaneSteps &lanes, size_t outsideLane);

} // namespace tilescope
