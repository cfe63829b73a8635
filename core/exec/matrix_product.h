// c += op(a) @ op(b): fp32 operands lose what TF32 drops, sums are fp32 (int32 for integers, fp64
// for fp64), fp16 accumulators are rounded once a step of 16 along K.
#pragma once

#include "core/exec/block_frame.h"

namespace tilescope {

// A tile operation that is a matrix multiply (OpWork), with Attr::TransposeA, TransposeB and, where
// it keeps halves of a, TransposeE.
void multiplyMatrices(const OpStmt &op, BlockFrame &frame);

} // namespace tilescope
