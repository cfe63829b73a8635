// Element formats on the CPU: what rounding to fp16, bf16, fp8 or TF32 does to a number.
#pragma once

#include "core/support/dtype.h"

namespace tilescope {

// The nearest value that the type holds (ties to even; fp8 e4m3 and fp4 saturate). Integers wrap.
double roundTo(DType dtype, double value);
int64_t wrapTo(DType dtype, int64_t value);
// Drops the 13 last bits of the mantissa, as the tensor core does with fp32 operands.
float truncateToTf32(float value);

// The bits in memory, in the low `dtype.bits`.
uint64_t encodeFloat(DType dtype, double value);
double decodeFloat(DType dtype, uint64_t bits);

} // namespace tilescope
