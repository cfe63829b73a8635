// The programs of single blocks where more than lengths depends on which block it is: which slot or
// mbarrier is meant, and in a loop that takes tile after tile what one tile does.
//
//     for wave in serial(2):                                       block 1:
//       end = min(8, block + wave + 1)       Loop k, [1, 8]        Loop k, trips 2
//       before = wave * (block + 1)          |- WaitPhase m[?]     |- WaitPhase m[k mod 2]
//       for k in serial(end):                `- Leaf: read K[?]    `- Leaf: read K[k mod 2]
//         wait(m[(before + k) % 2], ...)                           Loop k, trips 3
//         ... K[(before + k) % 2]                                  |- WaitPhase m[(k + 2) mod 2]
//                                                                  `- Leaf: read K[(k + 2) mod 2]
//
// The expressions are evaluated for every block, and for every iteration of the loops around them
// that decide; those loops are written out.
#pragma once

#include "core/analysis/access_builder.h"

namespace tilescope {

// Of every block that `AccessTree::numbers` says something of one that does the same; the program
// itself, or its cases, where nothing is said or too much is.
std::vector<AccessProgram> programsOfBlocks(Context &context, const Function &function,
                                            const AccessTree &tree);

} // namespace tilescope
