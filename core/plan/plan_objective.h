// Which of the plans that are low enough to take.
//
// planArena settles the least height and proves it. Many plans are as low, and they differ in what
// they cost otherwise: two buffers that share bytes may need a barrier between them.
//
//     bytes  ^  |##A##|  |##C##|        A's readers must be done before C is written
//            |  |####B####|
//            +---------------------> C over A: a barrier; C above B, if it is no higher: none
//
// choosePlan weighs, in this order: barriers between buffers that share bytes (each by how often
// it is passed), buffers that do not lie where they lay before, height, padding. Barriers are
// counted as insert-barriers will place them, versions told apart. That there are no fewer it
// proves, unless a fixed number of steps is not enough; of the rest it takes the best that it
// finds.
#pragma once

#include "core/plan/reuse_hazards.h"

namespace tilescope {

struct PlanObjective {
  // Plans up to this height are weighed; at least the height of the least plan.
  int64_t highestBytes = 0;
  // Of sharing bytes. Asked for once, and only if there is something to weigh. Empty:
  // nothing.
  std::function<ReuseHazards()> reuseHazards;
  // Of each buffer: where it lay before. Empty: nothing is known.
  std::vector<std::optional<int64_t>> previousOffsets;
  // Polled between plans: true ends the search, for a stopped compile that throws the plan away.
  std::function<bool()> stop;
};

struct ChosenPlan {
  ArenaPlan plan;
  // Between buffers that share bytes, beyond what the program needs by itself: of the plan, and of
  // the least plan that it was chosen over.
  size_t barriers = 0;
  size_t barriersOfLeast = 0;
  // Shown: no plan that is as low as may be passes barriers less often.
  bool isFewest = false;
};

// `least` is the result of planArena, and what comes back keeps its certificate: it speaks of the
// least height, of which the plan may be above if `highestBytes` is. Deterministic; never dearer
// than `least`, and `least` itself if nothing cheaper is found.
ChosenPlan choosePlan(const ArenaProblem &problem, const ArenaPlan &least,
                      const PlanObjective &objective);

} // namespace tilescope
