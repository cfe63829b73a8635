// What functions of numbers compute, for one element: floats are computed as doubles, as the GPU's
// own functions are nearly exact, and rounded once to their type.
#pragma once

#include "core/exec/tensor.h"
#include "core/ir/expr.h"

namespace tilescope {

// `operand` is the type of the arguments, `result` that of the node.
Number mathOf(MathFn fn, DType operand, DType result, llvm::ArrayRef<Number> args);

} // namespace tilescope
