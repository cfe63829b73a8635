// In a loop, what bulk stores read is waited for when it is needed again, and not before:
//
//     for t in serial(4):                    for t in serial(4):
//         multiply                               multiply                while the box is stored
//         C_shared = ...                         tma_store_wait(0)
//         tma_store(C_shared, C[t])       =>     C_shared = ...
//         tma_store_commit()                     tma_store(C_shared, C[t])
//         tma_store_wait(0)                      tma_store_commit()
//                                            tma_store_wait(0)
#pragma once

#include "core/ir/build.h"

namespace tilescope {

// The loop itself holds the only such wait, and touches nothing that is stored, nor where it is
// stored to, behind it; what else it touches of that comes after the wait's new place.
const Stmt *withLateStoreWaits(Context &context, const Stmt *body);

} // namespace tilescope
