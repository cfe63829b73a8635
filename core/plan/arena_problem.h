// From a function to the arena problem of its shared memory, at any stage of lowering.
#pragma once

#include "core/analysis/access_builder.h"
#include "core/plan/launch_regions.h"
#include "core/target/target.h"

namespace tilescope {

struct FunctionArena {
  AccessProgram program;
  Lifetimes lifetimes;
  ArenaProblem problem; // buffers of dynamic shared memory, in the order of the function's table
  // Not final before the arena is planned; what may still change it: "versions", ...
  bool isPreview = true;
  std::vector<std::string> unknown;
  // Buffers of dynamic shared memory whose size is known at launch: not in the problem. With the
  // regions that they have or, in a preview, would get.
  std::vector<LaunchSizedBuffer> launchSized;
};

// Cached in the context.
const FunctionArena &computeFunctionArena(Context &context, const Function &function,
                                          const Target &target);

// The plan that the buffer table holds, once the arena is planned; until then a plan of the least
// height for what is known now. Its certificate speaks of the least height in any case: that of the
// planner's run while the function has the buffers and conflicts that it was proven of, else what a
// run with the same budget proves of those that it has.
ArenaPlan currentPlan(Context &context, const Function &function, const FunctionArena &arena);

// What the planner was asked and what it proved.
struct PlannerRun {
  ArenaProblem problem;
  int64_t searchNodes = 0; // its budget
  Certificate certificate;
};

// `placed`, whose table holds the plan of the run, as planned by it: see Function::asPlanned.
const Function *withPlannerRun(Context &context, const Function &placed, PlannerRun run);

} // namespace tilescope
