// Interval bounds of integer expressions while a function is printed: enough to choose between
// `int` and 64 bits, and between `/` and floor division.
#pragma once

#include "core/ir/module.h"

#include "llvm/ADT/DenseMap.h"

namespace tilescope {

// Both ends belong to the interval. Unbounded ends are the ends of int64.
struct Interval {
  int64_t low = INT64_MIN;
  int64_t high = INT64_MAX;

  bool fitsInt32() const { return low >= INT32_MIN && high <= INT32_MAX; }
  bool isNonNegative() const { return low >= 0; }
  bool isPositive() const { return low > 0; }
};

class IndexBounds {
public:
  void set(const Var *var, Interval interval) { ranges_[var->id.value] = interval; }
  // The values an expression can take; those of its type where nothing better is known.
  Interval of(const Expr *expr) const;
  // A loop variable over [min, min + extent).
  Interval ofLoop(const Expr *min, const Expr *extent) const;

private:
  Interval ofBinary(const Binary &binary) const;

  llvm::DenseMap<uint32_t, Interval> ranges_;
};

// All values of an integer type.
Interval rangeOf(DType dtype);

} // namespace tilescope
