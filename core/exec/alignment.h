// Where one access to several elements starts.
#pragma once

#include "core/exec/thread_group.h"

namespace tilescope {

// Finds threads whose region of memory starts at no multiple of so many bytes, of 16 at most: wider
// accesses are several. Tensors start at a multiple of 16.
void findMisaligned(ThreadGroup &group, const LaneRegion &region, Lanes lanes, int64_t bytes);

} // namespace tilescope
