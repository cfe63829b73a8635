// Tensors that a file makes on its host, of which kernels ask the shape and the type. Nothing is
// allocated: elements are none of a kernel's business.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// Elementwise, of which at least one is a tensor; what is not known of the result is an error for
// who needs it.
Value binaryHostTensors(Evaluation &evaluation, ast::BinaryOp op, Value lhs, Value rhs, Span span);

} // namespace tilescope::frontend
