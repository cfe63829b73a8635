// May what a kernel leaves depend on which thread comes first to an atomic operation?
//
//     slot = atomic_fetch(count[0], 1)
//     C[slot] = A[tx]                       yes: in which order elements stand
//     if slot == blocks - 1: C[tx] = ...    no, as far as this looks: the last one does what any
//                                           other would do in its place
//     atomic_element(sum[0], A[tx])         no: nobody sees what was there
#pragma once

#include "core/ir/module.h"

namespace tilescope {

// Whether a number that an atomic operation gave, or what was made of one, chooses an element that
// is written, or is written to global memory.
bool writesByDrawnNumbers(const Function &function);

} // namespace tilescope
