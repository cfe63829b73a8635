// What operations that move a tile share in the reference.
#pragma once

#include "core/exec/block_frame.h"

namespace tilescope {

// Calls `put` for each element of operand 1, by its place in memory, with that of operand 0 that
// goes there. Elements outside a global source are 0; those outside a global destination are
// dropped.
void moveTile(const OpStmt &op, BlockFrame &frame,
              llvm::function_ref<void(const TensorRegion &to, int64_t place, Number value)> put);

} // namespace tilescope
