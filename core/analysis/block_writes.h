// Elements of global memory that several blocks may write: nothing orders blocks.
//
//     B[bx * 128 + tx] = x        each block has its own
//     B[tx] = x                   all blocks, and who comes last decides unless x is the same
//     B[bx * 16 + tx] = x         neighbours, if there are more than 16 threads
//     if bx == 0: B[tx] = x       one block; but two if others add to B
//
// What writes one buffer counts together, atomics too where not all are. That a block has its
// elements for itself is shown by `block_separation.h`, or taken not to be so.
#pragma once

#include "core/ir/module.h"

#include <vector>

namespace tilescope {

struct BlockWrite {
  const Stmt *stmt = nullptr;
  BufferId buffer;
};

// Writes to elements that other blocks may write, of values that may be others. In program order,
// each once. Cached in the context.
const std::vector<BlockWrite> &computeBlockWrites(Context &context, const Function &function);

} // namespace tilescope
