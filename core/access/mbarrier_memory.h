// Which buffers hold the mbarriers of a program themselves: an arrival or a wait touches its
// mbarrier, which the nodes tell beside the access, so that views need not tell it twice.
#pragma once

#include "core/access/access_program.h"

namespace tilescope {

// Those that a statement reads in a leaf of their own, and that arrives, expects or waits. In the
// order of the nodes, each once; none of programs that keep mbarriers apart from buffers.
std::vector<BufferId> buffersOfMbarriers(const AccessProgram &program);

} // namespace tilescope
