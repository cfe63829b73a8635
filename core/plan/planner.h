// From an arena problem to a plan of low height, with what it proves.
#pragma once

#include "core/access/arena_plan.h"

#include <functional>

namespace tilescope {

struct PlanLimits {
  int64_t searchNodes = 100'000;
  // The search ends at the first plan that is not higher. 0: it lowers the plan while it can.
  int64_t enoughBytes = 0;
  // Polled between nodes: true ends the search. The plan then depends on when that was: for
  // `tilescope plan --time-limit`, and where a stopped compile throws it away.
  std::function<bool()> stop;
};

// Deterministic: without `stop` it depends on the problem and the limits alone, never on time.
// Always returns a right plan, unless pins contradict each other; the capacity is the caller's to
// compare. Buffers without bytes lie at 0.
ArenaPlan planArena(const ArenaProblem &problem, const PlanLimits &limits);
ArenaPlan planArena(const ArenaProblem &problem, int64_t nodeBudget = 100'000);

// The plan with given offsets, one a buffer: its height and reasons. The certificate claims
// nothing. More than 4000 buffers get no reasons: `below` and `sharesWith` stay empty.
ArenaPlan describePlan(const ArenaProblem &problem, const std::vector<int64_t> &offsetBytes);

// Why two buffers do not share bytes, or nothing if they do not interfere.
std::optional<ProgramPoint> conflictWitness(const ArenaBuffer &a, const ArenaBuffer &b);

} // namespace tilescope
