// Which points of a sweep no other point beats: another would have to be at least as good in
// everything and better in something. Fewer bytes, more blocks per SM, fewer barriers are better;
// fewer registers and spilled bytes too, where all points know them. Points of different targets
// are not compared.
#pragma once

#include "core/sweep/grid.h"
#include "core/sweep/sweep_row.h"

namespace tilescope {

// One for each row. Rows that failed are never marked.
std::vector<bool> paretoMarks(const SweepGrid &grid, llvm::ArrayRef<SweepRow> rows);

} // namespace tilescope
