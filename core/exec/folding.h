// How a reduction folds elements. Sums of floats are fp32 as on the GPU, of double double, those of
// integers wrap; max and min lose NaN.
#pragma once

#include "core/exec/tensor.h"
#include "core/ir/op.h"

namespace tilescope {

// The type that is folded in, for a result of this type.
DType accumulatorOf(DType result);
// What changes nothing when it is folded in.
Number neutralOf(ReduceKind kind, DType accumulator);
// `nanWins`: a NaN is both the larger and the smaller one of two floats.
Number foldOf(ReduceKind kind, DType accumulator, Number sum, Number element, bool nanWins = false);

} // namespace tilescope
