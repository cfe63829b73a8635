// Elements of global memory that several blocks may write, or one reads and another may write:
// nothing orders blocks but barriers of the grid, and of their cluster.
//
//     B[bx * 128 + tx] = x        each block has its own
//     B[tx] = x                   all blocks, and who comes last decides unless x is the same
//     B[bx * 16 + tx] = x         neighbours, if there are more than 16 threads
//     if bx == 0: B[tx] = x       one block; but two if others add to B
//     y = B[tx]                   may read what block 0 writes, before or after
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

struct BlockRead {
  const Stmt *stmt = nullptr;
  BufferId buffer;
  const Stmt *write = nullptr; // by another block
};

// Writes to elements that other blocks may write, of values that may be others. In program order,
// each once. Cached in the context.
const std::vector<BlockWrite> &computeBlockWrites(Context &context, const Function &function);
// Reads of elements that other blocks may write at that time. Atomics that tell a block when it may
// read are not looked at, so what they order is found too.
std::vector<BlockRead> findBlockReads(Context &context, const Function &function);

} // namespace tilescope
