// Runs a lowered function thread by thread: from lower-tile-ops on. Until barriers are placed the
// threads of a block meet after each statement; from then on warps run by themselves, each until it
// waits for the others.
#pragma once

#include "core/exec/block_queue.h"
#include "core/exec/launch_state.h"
#include "core/exec/reference.h"

namespace tilescope {

// Runs blocks of all launches. `memory` holds the parameters' tensors, which are changed as the
// function does. What is wrong with the program is found and does not end the run. `written` gets
// what is known of the elements of the tensors that the last launch wrote. All that comes out is
// the same for any number of threads. `isGuarded`: no access of a tensor may lie outside of it;
// else that of a function without barriers may.
BlockCounts runLowered(const Function &function, GlobalMemory &memory, ScalarArguments scalars,
                       bool isGuarded, const BlockOptions &options, Findings &findings,
                       std::map<BufferId, Shadow> &written);

} // namespace tilescope
