// Expressions, one for each of several accesses, that are one function of what is accessed: where
// two accesses touch one element, their expressions are equal. An index is one, and what is made
// of such by the same arithmetic.
//
//     128*bx + tx      128*bx + 8*j + 3      of it: bx      bx       (the quotient by 128)
//                                                   tx      8*j + 3  (what is left)
//
// if what is left lies, for all accesses together, in one window of 128.
#pragma once

#include "core/support/affine.h"

#include "llvm/ADT/SmallVector.h"

namespace tilescope {

using CommonValues = llvm::SmallVector<Affine, 4>; // by access

class CommonValueArithmetic {
public:
  // Of each access the facts that hold where it is made.
  CommonValueArithmetic(AffineContext &arithmetic, const AffineRanges &ranges,
                        llvm::SmallVector<std::vector<Affine>, 4> factsByAccess)
      : arithmetic_(arithmetic), ranges_(ranges), factsByAccess_(std::move(factsByAccess)) {}

  struct Parts {
    CommonValues high;
    CommonValues low;
  };
  // factor * high + low, where low stays in one window of the factor. High are the multiples of the
  // factor for which `isHigh`, and with `takesConstants` what there is of them in the constant.
  std::optional<Parts> split(const CommonValues &values, int64_t factor, bool takesConstants,
                             llvm::function_ref<bool(const AffineAtom &)> isHigh);
  // By a size that is one for all accesses; quotients and remainders, whatever becomes of them.
  Parts divide(const CommonValues &values, Affine size);
  // high * size + low.
  CommonValues join(const CommonValues &high, const CommonValues &low, Affine size);
  CommonValues subtract(const CommonValues &values, Affine subtrahend);
  CommonValues simplify(const CommonValues &values);

  bool isNowherePositive(Affine value);
  bool isZeroEverywhere(Affine value) const; // said so by a condition
  // A symbol of no variable, in [0, extent).
  Affine makeSymbol(Affine extent);

  size_t accessCount() const { return factsByAccess_.size(); }
  llvm::ArrayRef<Affine> factsAt(size_t access) const { return factsByAccess_[access]; }

private:
  const AffineRanges &rangesAt(size_t access);
  bool areInOneWindow(const CommonValues &values, int64_t size);
  bool areWithin(const CommonValues &values, int64_t begin, int64_t size);
  int64_t provenLeast(Affine value, int64_t lower, int64_t upper);

  AffineContext &arithmetic_;
  AffineRanges ranges_;
  llvm::SmallVector<std::vector<Affine>, 4> factsByAccess_;
  uint32_t symbols_ = 0;
};

// Whether arithmetic went beyond its limits nowhere.
bool areKnown(const CommonValues &values);

} // namespace tilescope
