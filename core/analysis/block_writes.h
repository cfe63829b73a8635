// Elements of global memory that several blocks write: nothing orders blocks.
//
//     B[bx * 128 + tx] = x        each block has its own
//     B[tx] = x                   all blocks, and who comes last decides unless x is the same
//     if bx == 0: B[tx] = x       one block
//
// Which elements a block touches is asked of names alone: an index, a bound or a condition that
// mentions the block's variable is taken to part the blocks.
#pragma once

#include "core/ir/module.h"

#include <vector>

namespace tilescope {

struct BlockWrite {
  const Stmt *stmt = nullptr;
  BufferId buffer;
};

// Writes that are not atomic, to elements that do not depend on a variable of the launch, of values
// that may. In program order, each once.
std::vector<BlockWrite> findBlockWrites(Context &context, const Function &function);

} // namespace tilescope
