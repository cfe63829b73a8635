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

// Step `step` of lane `lane`.
struct MadeStep {
  size_t lane = 0;
  size_t step = 0;
};

struct LaneRun {
  // Its strands are single threads: of each lane the elected one, and of the others as many as it
  // takes to tell what they do to each other. Not known: what it does cannot be followed.
  StepOrder order;
  StmtId stuckAt; // a thread waits here and nothing is left that could end it
  // Of `runAbreast`: its steps in the order in which they are made, those outside of the roles
  // once.
  std::vector<MadeStep> made;
};

// `outsideLane`: whose elected thread does what one thread does outside of the roles.
LaneRun runLanes(const AccessProgram &program, const LaneSteps &lanes, size_t outsideLane);

// Its `stuckAt` alone, for which nothing need be known of what threads know.
StmtId stuckAt(const AccessProgram &program, const LaneSteps &lanes, size_t outsideLane);

// An execution in which the threads of a lane, and outside of the roles those of all lanes, make
// each step together: nothing comes between what one does there and what another does. Where they
// come not to the end so, `stuckAt` says that of this execution alone, and nothing of the program.
LaneRun runAbreast(const AccessProgram &program, const LaneSteps &lanes);

} // namespace tilescope
