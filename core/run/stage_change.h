// What a pass changed in the text of the IR, near one statement: where to look when it is wrong.
//
//      T.barrier()
//   -  B[tx] = S[63 - tx]
//   +  B[tx] = S[62 - tx]
//
// A value may be wrong for what happened far before: of the statements that it comes from, those
// that the pass changed are named too, one of each line of the kernel.
#pragma once

#include "core/ir/module.h"

#include <string>
#include <vector>

namespace tilescope {

// That a wrong value comes from.
struct ChangedOrigin {
  Span span;        // in the kernel
  std::string text; // of the first statement that was made of it
};

struct StageChange {
  std::vector<std::string> lines;     // each begins with ' ', '-' or '+'
  size_t otherPlaces = 0;             // that the pass changed, and that are not shown
  std::vector<ChangedOrigin> origins; // nearest first
  size_t otherOrigins = 0;            // farther away
};

// The place nearest to the first of `blamed`, statements of `after`, and what these come from;
// without one the first place.
StageChange changeNear(const Module &before, const Module &after, llvm::ArrayRef<StmtId> blamed);

} // namespace tilescope
