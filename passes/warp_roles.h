// A launch whose counted copies are made by a warp of their own, while all other threads compute.
//
//     for k in serial(n):                    for k in serial(n):
//       mbarrier_wait(empty, ...)              with T.ws(copies):     threads [128, 160)
//       mbarrier_arrive_expect(full, ...)        mbarrier_wait(empty, ...)
//       tma_copy A(k + 2), full          =>      mbarrier_arrive_expect(full, ...)
//       mbarrier_wait(full, ...)                 tma_copy A(k + 2), full
//       gemm(k)                                with T.ws(computes):   threads [0, 128)
//       mbarrier_arrive(empty)                   mbarrier_wait(full, ...)
//                                                gemm(k)
//                                                mbarrier_arrive(empty)
//
// Names and what is bound to them all threads have for themselves, outside of the roles.
#pragma once

#include "core/pass/pass.h"

#include "llvm/ADT/DenseSet.h"

#include <string>

namespace tilescope {

// Why the launch cannot be divided, as the end of a sentence; empty: it can, if it has copies that
// mbarriers count.
std::string whyNotDivided(PassContext &pass, const Function &function, const Launch &launch);

// `body`: that of the launch, in which `isCopying` tells the statements of who copies; an `if` with
// nothing but such is one, too. The launch gets a warp more.
const Launch *divideIntoRoles(Context &context, const Launch &launch,
                              llvm::function_ref<bool(const OpStmt &)> isCopying);

} // namespace tilescope
