// What the operators of expressions compute, for one element; functions are in math_functions.h.
// Floats are rounded to their type; integers wrap as C++ computes them, narrower types being
// widened to int first.
#pragma once

#include "core/exec/tensor.h"
#include "core/ir/expr.h"
#include "core/ir/op.h"

namespace tilescope {

// How wide signed integers are: in indices, bounds, conditions and names the emitted code makes
// them wider than their type where they may not fit it, but for shifts to the left; elsewhere they
// wrap.
enum class IntegerWidth : uint8_t { OfType, Index };
DType computedType(const Binary &binary, IntegerWidth width);
// Of the operands of an operator, a cast or a function of that width.
IntegerWidth operandWidth(const Expr &expr, IntegerWidth width);

// `dtype`: of the operands.
Number unaryOf(UnaryOp op, DType dtype, Number operand);
Number binaryOf(BinaryOp op, DType dtype, Number lhs, Number rhs);
// What an atomic operation leaves.
Number atomicOf(AtomicKind kind, DType dtype, Number old, Number value);
// The same of an element of another type of as many bits, which is taken for one of `dtype`.
Number atomicOnBits(AtomicKind kind, DType element, DType dtype, Number old, Number value);
// The bits of a number as one of another type of as many.
Number bitsAs(DType from, DType to, Number value);
// Of an IntImm or FloatImm.
Number constantOf(const Expr &literal);

} // namespace tilescope
