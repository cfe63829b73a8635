// What a pass changed in the text of the IR, near one statement: where to look when it is wrong.
//
//      T.barrier()
//   -  B[tx] = S[63 - tx]
//   +  B[tx] = S[62 - tx]
#pragma once

#include "core/ir/module.h"

#include <string>
#include <vector>

namespace tilescope {

struct StageChange {
  std::vector<std::string> lines; // each begins with ' ', '-' or '+'
  size_t otherPlaces = 0;         // that the pass changed, and that are not shown
};

// The place nearest to `stmt`, a statement of `after`; without one the first.
StageChange changeNear(const Module &before, const Module &after, StmtId stmt);

} // namespace tilescope
