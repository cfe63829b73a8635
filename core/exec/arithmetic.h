// What the operators of expressions compute, for one element. Floats are rounded to their type;
// integers wrap as C++ computes them, narrower types being widened to int first.
#pragma once

#include "core/exec/tensor.h"
#include "core/ir/expr.h"

namespace tilescope {

// `dtype`: of the operands.
Number unaryOf(UnaryOp op, DType dtype, Number operand);
Number binaryOf(BinaryOp op, DType dtype, Number lhs, Number rhs);
// `y` is only looked at by functions of two arguments.
Number mathOf(MathFn fn, DType dtype, Number x, Number y);
// Of an IntImm or FloatImm.
Number constantOf(const Expr &literal);

} // namespace tilescope
