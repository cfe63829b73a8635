// What an index of a fragment is made of: parts of loop variables, each with a place in the index.
//
//     i                    all of i
//     i * 8 + j            j < 8: i from weight 8 on, j below
//     j // 2               j without its lowest bit
//     k * 4 + j            k no variable of the loop: any value from weight 4 on
#pragma once

#include "core/ir/module.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace tilescope {

// The index contains `weight * (variable / low % extent)`.
struct IndexPart {
  static constexpr int64_t Open = int64_t{1} << 40; // extent: all that there is

  std::optional<size_t> loopDim; // nullopt: no variable of the loop, any value
  int64_t weight = 1;
  int64_t low = 1;
  int64_t extent = Open;

  // One past the last weight.
  int64_t end() const { return extent >= Open ? Open : weight * extent; }

  friend bool operator==(const IndexPart &, const IndexPart &) = default;
};

// Outermost first; apart: the index is `weight` of a part times its value plus what is less.
using IndexParts = llvm::SmallVector<IndexPart, 1>;

IndexParts wholeVariable(size_t loopDim);
IndexParts anyIndex();
bool isOfLoop(const IndexParts &parts); // of nothing but variables of the loop

struct LoopVars {
  llvm::ArrayRef<const Var *> vars;
  llvm::ArrayRef<const Expr *> extents;
  // Values of a variable that is not of the loop and counts from 0; nullopt if not known.
  llvm::function_ref<std::optional<int64_t>(const Var *)> extentOfOther;
  // Values of variables of the loop for which its body gets to the index: `if i < 16` of 32.
  llvm::ArrayRef<std::pair<const Var *, int64_t>> limits = {};
};

// `anyIndex` where nothing better is known.
IndexParts partsOfIndex(const Expr *index, const LoopVars &loop);

} // namespace tilescope
