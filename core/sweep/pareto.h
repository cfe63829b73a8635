// Which points of a sweep no other point beats: another would have to be at least as good in
// everything and better in something. Fewer bytes of shared memory, more blocks per SM, fewer
// barriers are better; fewer registers and spilled bytes too, and less time, where all points know
// them. Points of different targets or problems are not compared; where all of one target and
// problem know how many bytes of global memory they move, fewer are better. Without that a smaller
// tile would always win.
#pragma once

#include "core/sweep/grid.h"
#include "core/sweep/sweep_row.h"

namespace tilescope {

// One for each row. Rows that failed are never marked.
std::vector<bool> paretoMarks(const SweepGrid &grid, llvm::ArrayRef<SweepRow> rows);

// How many problems the rows that did not fail solve.
size_t countProblems(llvm::ArrayRef<SweepRow> rows);

} // namespace tilescope
