// Offsets and sizes in the arena of a function. Buffers of constant size lie where the plan put
// them; buffers whose size is known only at launch lie in regions stacked above, each as large as
// its largest buffer, rounded up to 16 bytes:
//
//     | planned, [0, 1024) | region 0: max(values, scratch) | region 1: weights |
#pragma once

#include "core/ir/module.h"

namespace tilescope {

// A buffer of dynamic shared memory whose size the kernel's parameters decide.
bool isSizedAtLaunch(const Buffer &buffer);
// Behind the last version of a buffer that the plan placed.
int64_t endBytes(const Buffer &buffer);
// Bytes from one version to the next.
const Expr *slotStride(Context &context, const Buffer &buffer);
// First byte of a buffer that is placed or sized at launch.
const Expr *arenaBegin(Context &context, const Function &function, const Buffer &buffer);
// Bytes of dynamic shared memory of the function.
const Expr *arenaEnd(Context &context, const Function &function);

} // namespace tilescope
