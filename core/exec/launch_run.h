// Runs the blocks of a launch of a lowered function on several threads of the CPU.
//
// What comes out is what one thread gets that runs block after block. Blocks that have nothing to
// do with each other may run at once; where two threads touch one element of a tensor that the
// launch writes, all is undone and run by one. That is decided by the elements that are touched
// (core/exec/claims.h); of a launch that adds atomically to global memory it is known before.
#pragma once

#include "core/exec/block_queue.h"
#include "core/exec/thread_group.h"

namespace tilescope {

// What the host has bound the blocks see as well. The shadows of `host` are of the tensors that
// this launch writes, afterwards.
BlockCounts runBlocks(const Launch &launch, ThreadGroup &host, const BlockOptions &options);

} // namespace tilescope
