// When a condition has one value in all iterations of an element-wise nest, said by what the
// iterations share.
//
//     for i, j in T.Parallel(128, 64):     true everywhere if         false everywhere if
//       bx * 128 + i >= k * 64 + j         bx * 128 >= k * 64 + 63    bx * 128 + 127 < k * 64
//       i < m and k * 64 + j < n           127 < m and                0 >= m or k * 64 >= n
//                                            k * 64 + 63 < n
//       i % 2 < j                          not known                  not known
//
// One iteration decides a comparison of integers whose difference only grows, or only shrinks, with
// each variable of the nest: the one at the corner where it is most likely to fail. What is said of
// a single comparison is exact; of `and` and `or` it is enough, not always needed.
#pragma once

#include "core/analysis/ir_affine.h"
#include "core/ir/visit.h"

namespace tilescope {

class NestDecision {
public:
  // The nest has constant extents, all of them positive.
  NestDecision(IrAffine &affine, const Parallel &nest);

  // Where it holds, `condition` has this value in each iteration. Null: none is known.
  const Expr *everywhere(const Expr *condition, bool value);
  // Whether iterations may disagree on it.
  bool variesInNest(const Expr *expr) const;

private:
  const Expr *anyOrBoth(const Binary &binary, bool value);
  const Expr *atWorst(const Expr *comparison, bool value);

  IrAffine &affine_;
  Builder builder_;
  const Parallel &nest_;
  Substitution inlined_; // names that the nest binds
};

} // namespace tilescope
