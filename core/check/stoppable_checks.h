// The checks of arena_check.h for a compile that may be abandoned: nothing is found by one that is
// stopped, so whoever told it to must not take that for a sound plan.
#pragma once

#include "core/check/arena_check.h"

#include <functional>

namespace tilescope {

// `stop` is asked at each node that is walked over.
std::vector<ArenaFault> checkArena(const AccessProgram &program,
                                   const std::vector<BufferBytes> &bytes,
                                   const std::function<bool()> &stop);
std::vector<HazardFault> checkHazards(const AccessProgram &program,
                                      const std::vector<BufferBytes> &bytes,
                                      const std::function<bool()> &stop);

} // namespace tilescope
