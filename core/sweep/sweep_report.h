// The result of a sweep: CSV and JSON for scripts, cells of a table for people.
#pragma once

#include "core/sweep/journal.h"

namespace tilescope {

// Rows are in the order of their points; not all points need be there.
using TextTable = std::vector<std::vector<std::string>>;

// The first row is the heading: "" (the Pareto mark), the target if there are several, arguments
// that have several values, figures, and the error if one failed.
TextTable sweepTable(const SweepJournal &sweep);

// RFC 4180, a heading first: target, every argument, figures, pareto, error.
std::string sweepCsv(const SweepJournal &sweep);

// Keys in docs/json.md.
Json sweepJson(const SweepJournal &sweep);
Json sweepSchema();

// "500 points of 2 targets and 3 problems, 12 beaten by no other (*), 3 failed", and what blocks
// per SM and the marks leave out.
std::string sweepSummary(const SweepJournal &sweep);

} // namespace tilescope
