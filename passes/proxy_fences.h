// Proxy fences: what threads read and wrote themselves comes before what wgmma and TMA do behind a
// barrier if they fence in front of it.
//
//     s[tx] = 0.0                   s[tx] = 0.0
//     barrier()                     proxy_fence()
//     tma_store(s, C)        =>     barrier()
//     ...                           tma_store(s, C)
//     barrier()                     ...
//                                   barrier()             nobody has touched any since
#pragma once

#include "core/ir/module.h"

namespace tilescope {

// With a fence in front of each barrier, and each arrival at an mbarrier, that threads may come to
// with accesses of shared memory that they have not fenced. As it is, if nothing in the function
// goes through the asynchronous proxy.
const Function *withProxyFences(Context &context, const Function &function);

} // namespace tilescope
