// Does one iteration of a T.Parallel touch an element that another one touches?
//
//     for i, j in T.Parallel(8, 16):
//       s[n, i, j], s[n, i, j]             apart: where i or j differs, the element does
//       s[n, i, j], s[m, 7 - i, j]         not known: n may be m
//       s[i * 16 + j], s[127 - i * 16 - j] they meet, found by running both
//       s[2 * i], s[2 * i + 1]             apart, found so too
//       s[i], s[i ^ 1 << k], where i is    apart, if k is of a loop around the nest that can be run
//         less than the other
#pragma once

#include "core/analysis/nest_accesses.h"

namespace tilescope {

enum class IterationsMeet : uint8_t {
  No,      // whatever is not known
  Yes,     // whenever both statements are run by all iterations that conditions leave to them
  Unknown, // perhaps
};

struct NestPlace {
  const Parallel *nest = nullptr;
  llvm::SmallVector<const For *> loops; // around it, outermost first
  // Variables that may differ from iteration to iteration or from thread to thread, and are none of
  // the nest's.
  llvm::SmallVector<const Var *> unknowns;
};

IterationsMeet computeIterationsMeet(IrAffine &affine, const NestPlace &place, const NestAccess &a,
                                     const NestAccess &b);

} // namespace tilescope
