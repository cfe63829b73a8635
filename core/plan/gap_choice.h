// Which gaps get a barrier, when each hazard says which gaps would settle it.
//
//     hazard 1   a b          b settles both: one barrier
//     hazard 2     b c
//     hazard 3         d      d
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"

#include <vector>

namespace tilescope {

struct GapChoice {
  std::vector<unsigned> gaps; // ascending
  bool isFewest = true;       // shown: no choice has fewer passes, or as many of fewer gaps
};

// Gaps, weighed by `runs`, so that every set has one of them. First again and again the gap that
// settles most sets per pass, of equal ones the last; those that later choices have made
// superfluous are dropped. Unless a bound shows that there are no fewer, a search of limited length
// then looks for them. No set may be empty.
GapChoice chooseGaps(llvm::ArrayRef<double> runs, llvm::ArrayRef<const llvm::BitVector *> sets);

} // namespace tilescope
