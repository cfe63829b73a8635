// What parameters hold before a run: seeded, so that a run can be repeated and compared.
#pragma once

#include "core/exec/tensor.h"
#include "core/ir/module.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// Floats are uniform in [-1, 1), integers small, booleans mixed; depends on seed and name alone.
void fillSeeded(Tensor &tensor, uint64_t seed, llvm::StringRef name);

// `how`: "random", "zeros", "ones", "arange", "nan" or a number.
llvm::Error fillAs(Tensor &tensor, llvm::StringRef how, uint64_t seed, llvm::StringRef name);

// True if elements of the buffer are used as indices or bounds: random ones would point anywhere.
bool isUsedAsIndex(const Function &function, BufferId buffer);

} // namespace tilescope
