// Element formats on the CPU: what rounding to fp16, bf16, fp8 or TF32 does to a number.
#pragma once

#include "core/support/dtype.h"

namespace tilescope {

// The nearest value that the type holds, ties to even. As the GPU converts: fp8 and fp4 saturate,
// and fp4, which has no NaN, gets its largest value for one. Integers wrap.
double roundTo(DType dtype, double value);
int64_t wrapTo(DType dtype, int64_t value);
// An integer as a float of type `to`, rounded once.
double roundInteger(DType from, DType to, int64_t value);
// A float of type `from` without its fraction, as the emitted code converts it to an integer type.
int64_t truncateTo(DType from, DType to, double value);
// Drops the 13 last bits of the mantissa, as the tensor core does with fp32 operands.
float truncateToTf32(float value);

// What memory of the type holds after a store: an infinity, which conversions to some types do not
// give, stays one.
double roundToStored(DType dtype, double value);
// Between 32 and 64 bits, a NaN with the bits that it has.
float narrowed(double value);
double widened(float value);
// The bits in memory, in the low `dtype.bits`; of a NaN that was decoded, the bits that it was.
uint64_t encodeFloat(DType dtype, double value);
double decodeFloat(DType dtype, uint64_t bits);

} // namespace tilescope
