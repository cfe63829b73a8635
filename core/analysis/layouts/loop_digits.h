// The digits of a loop's layout, taken from it part by part by the fragments that its body touches.
//
//     8@t4 of i          take [2, 8) of i: 4@t8      left: 2@t4
#pragma once

#include "core/analysis/fragment_digits.h"
#include "core/analysis/layouts/parallel_access.h"

namespace tilescope {

class LoopDigits {
public:
  explicit LoopDigits(const Layout &loop);

  // The digits of `variable / low % (high / low)`, outermost first; `high` may be Open. Nullopt,
  // and nothing is taken, where some were taken before or a digit cannot be cut there.
  std::optional<DigitList> take(size_t loopDim, int64_t low, int64_t high);
  // What nobody took of the threads.
  DigitList threadsLeft() const;

private:
  llvm::SmallVector<llvm::SmallVector<WeightedDigit>> left_; // outermost first
  llvm::SmallVector<int64_t> ends_;                          // of all digits of the variable
};

// The digits of a loop variable of `extent` by those of a fragment that is touched so. Where the
// index does not tell values of the variable apart, they lie on registers. Nullopt where the index
// does not say, or not once, where an iteration lies.
std::optional<DigitList> digitsOfVariable(const FragmentAccess &access, const Layout &fragment,
                                          size_t loopDim, int64_t extent);
// Whether the index tells all values of the variable apart.
bool tellsApart(const FragmentAccess &access, size_t loopDim, int64_t extent);

} // namespace tilescope
