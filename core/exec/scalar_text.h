// Values of scalar parameters as a user writes them.
#pragma once

#include "core/exec/tensor.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// Integers: decimal or 0x, within the type. Floats: 3, 0.1, -1e-3, inf, nan, rounded to the type.
// Booleans: true, false, 1, 0. The error names the parameter, its type and what was given.
llvm::Expected<Number> parseScalar(llvm::StringRef name, DType dtype, llvm::StringRef text);

// As a kernel takes it: the bytes of the value in the low end.
uint64_t scalarBits(DType dtype, Number value);

} // namespace tilescope
