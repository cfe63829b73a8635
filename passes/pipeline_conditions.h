// Copies that stand under a condition with the rest of a pipelined loop's body get it for
// themselves, so that they can run ahead.
//
//     for k in T.Pipelined(n, num_stages=2):
//       if mask[k] != 0:                              if mask[k] != 0:
//         T.copy(A[k * 64], S)                          T.copy(A[k * 64], S)
//         T.gemm(S, ...)                      =>      if mask[k] != 0:
//                                                       T.gemm(S, ...)
#pragma once

#include "core/ir/module.h"

namespace tilescope {

// The loop itself if nothing is to be split: no load of a tile stands under a condition, the loop
// may change the condition, or the parts share a binding that reads memory.
const For *splitConditions(Context &context, const Function &function, const For &loop);

} // namespace tilescope
