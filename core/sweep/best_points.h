// Which points of a sweep take least time, of those that solve the same problem on the same target.
#pragma once

#include "core/sweep/journal.h"

namespace tilescope {

struct RankedProblem {
  std::string target;
  std::string problem;
  std::vector<SweepRow> rows; // that were timed: the fastest first, of equals the one tried first
  SweepRow first;             // of the rows the one tried first
};

// In order of their first points. Points that failed or were not timed are left out.
std::vector<RankedProblem> rankProblems(const SweepJournal &sweep);

} // namespace tilescope
