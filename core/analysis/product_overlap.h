// Plans a pipelined loop so that a product runs while threads compute for the next iteration.
//
//     for k:  gemm(Q, K, S)         step k:  gemm(Q, K, S)   of k + 1     early
//             P = softmax(S)                 gemm(P, V, O)   of k         late
//             O = O * scale                  P = softmax(S)  of k + 1     early
//             gemm(P, V, O)                  O = O * scale   of k + 1     early
//
// Late are the last product that depends on another of its iteration, and what depends on it there;
// everything else runs an iteration ahead of it, and copies as far ahead of their consumers as the
// loop asks for. Both products are started before anything of the step is computed. Buffers need no
// more versions for that: what P and O hold between the products is read and written in the order
// of the loop as it was. That no dependence speaks against it is asked, not assumed.
#pragma once

#include "core/analysis/pipeline_schedule.h"

namespace tilescope {

// Declined with a reason where no product of the loop can run so.
LoopPlan planOverlappedProducts(Context &context, const Function &function, const Target &target,
                                const LoopBody &body, const UnversionedBuffers &unversioned);

} // namespace tilescope
