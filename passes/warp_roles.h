// A launch whose counted copies are made by a warp of their own, while all other threads compute.
//
//     mbarrier_init(full, empty)             mbarrier_init(full, empty)
//     for k in serial(n):                    with T.ws(copies):     threads [128, 160)
//       mbarrier_wait(empty, ...)              for k in serial(n):
//       mbarrier_arrive_expect(full, ...)        mbarrier_wait(empty, ...)
//       tma_copy A(k + 2), full          =>      mbarrier_arrive_expect(full, ...)
//       mbarrier_wait(full, ...)                 tma_copy A(k + 2), full
//       gemm(k)                              with T.ws(computes):   threads [0, 128)
//       mbarrier_arrive(empty)                 for k in serial(n):
//     copy C_local to C                          mbarrier_wait(full, ...)
//                                                gemm(k)
//                                                mbarrier_arrive(empty)
//                                              copy C_local to C
//
// Each has loops and names for itself. Where several warp groups compute, a warp group copies, and
// gives its registers to the others.
#pragma once

#include "core/pass/pass.h"

#include "llvm/ADT/DenseSet.h"

#include <string>

namespace tilescope {

// Why the launch cannot be divided, as the end of a sentence; empty: it can, if it has copies that
// mbarriers count.
std::string whyNotDivided(PassContext &pass, const Function &function, const Launch &launch);

// `isCopying` tells the statements of who copies; an `if` with nothing but such is one, too. The
// launch gets a warp more, or a warp group.
const Launch *divideIntoRoles(Context &context, const Launch &launch,
                              llvm::function_ref<bool(const OpStmt &)> isCopying);

} // namespace tilescope
