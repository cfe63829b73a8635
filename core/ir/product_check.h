// What verifiers of products of matrices have in common. Matrices are the last two axes of their
// operands; axes before them have extent 1.
#pragma once

#include "core/ir/op_check.h"

namespace tilescope {

// Whether mma.sp multiplies such operands, the first of them kept by halves.
bool isSparseProduct(DType operand, DType accumulator);

// That the extents of operands a, b, c and, of an a that is kept by halves, e agree. The operation
// has Attr::TransposeA, TransposeB and, with e, TransposeE.
void checkProductShapes(OpCheck &check, const OpStmt &op);

} // namespace tilescope
