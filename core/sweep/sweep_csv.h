// A sweep read back from the CSV that `sweep -o FILE.csv` writes.
#pragma once

#include "core/sweep/journal.h"

namespace tilescope {

// With the points, their errors and times; problems and other figures are left out, and so is what
// a CSV does not say: kernel and GPU. The error says which line is none of a sweep, or that the
// lines are not all points of a grid. `name` is for messages.
llvm::Expected<SweepJournal> readSweepCsv(llvm::StringRef text, llvm::StringRef name);

} // namespace tilescope
