// Where buffers may start in shared memory.
#pragma once

#include "core/ir/module.h"

namespace tilescope {

// Where a version of a shared buffer may start: cp.async and vector accesses move up to 16 bytes,
// and a swizzle is relative to its tile, unless it is aligned. One element of 8 bytes is aligned to
// them, as an mbarrier alone (PTX ISA, "Size and alignment of mbarrier object").
int64_t alignmentBytes(const Buffer &buffer);

} // namespace tilescope
