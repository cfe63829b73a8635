// A hitting set of least weight: of each of some sets at least one element.
//
// The elements are sites of barriers, weighed by how often each is passed, and a set has the sites
// that resolve one hazard:
//
//     hazard 1   a b          b hits both: one barrier
//     hazard 2     b c
//     hazard 3         d      d
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"

#include <vector>

namespace tilescope {

struct HittingSet {
  std::vector<unsigned> elements; // ascending
  bool isLeast = true;            // proven: no other weighs less, or as much with fewer elements
};

// Greedily first: again and again the element that hits most sets per weight, of equal ones the
// last; those that later ones have made redundant are dropped. Unless a lower bound shows that this
// is least, a branch and bound of limited length then looks for less. No set may be empty.
HittingSet findHittingSet(llvm::ArrayRef<double> weights,
                          llvm::ArrayRef<const llvm::BitVector *> sets);

} // namespace tilescope
