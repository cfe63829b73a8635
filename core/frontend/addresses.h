// T.make_tensor_from_addr: integers that are addresses of tensors. A parameter that is one is a
// pointer; a tensor of them is a table of pointers (tile_views.cpp), so it is no tensor of numbers
// any more:
//
//   as written   ptrs: T.Tensor((4,), "int64")
//                A = T.make_tensor_from_addr(ptrs[bx], (8, 16), "float16")
//                x[i] = A[0, i]
//   elaborated   ptrs: T.Tensor((4, 8, 16), "float16"), a table of pointers
//                x[i] = ptrs[bx, 0, i]
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// The parameter, or one pointer of a table, that the address is; null after reporting that it is
// no address of a parameter.
PointerObject *pointerAt(Evaluation &evaluation, Value address, Span span);

// The function without the names that addresses had; null after reporting that an address is read
// as a number too.
const Function *withoutAddresses(Evaluation &evaluation, const Function &function);

} // namespace tilescope::frontend
