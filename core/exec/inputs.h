// What parameters hold before a run: seeded, so that a run can be repeated and compared.
#pragma once

#include "core/exec/tensor.h"

#include "llvm/Support/Error.h"

#include <random>

namespace tilescope {

// The same numbers with every standard library; they depend on seed and name alone.
class SeededNumbers {
public:
  SeededNumbers(uint64_t seed, llvm::StringRef name);
  double unit(); // in [0, 1)
  int64_t below(uint64_t count);

private:
  std::mt19937_64 random_;
};

// Floats are uniform in [-1, 1), integers small, booleans mixed; depends on seed and name alone.
void fillSeeded(Tensor &tensor, uint64_t seed, llvm::StringRef name);

// `how`: "random", "integers" (whole numbers from -4 to 3, whose sums are exact), "zeros", "ones",
// "arange", "nan", a number, a range of seeded numbers ("-0.1..0.1" without its end for floats,
// "0..63" with it for integers), all elements ("0,128,256") or a file of numpy ("@offsets.npy").
llvm::Error fillAs(Tensor &tensor, llvm::StringRef how, uint64_t seed, llvm::StringRef name);

} // namespace tilescope
