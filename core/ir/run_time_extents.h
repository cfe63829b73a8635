// Parallel loops whose extents only the launch or memory knows.
//
//     for i in T.Parallel(n):          for chunk in serial((n + 127) // 128):     128 threads
//       B[i] = A[i]                      for e in T.Parallel(128):
//                                          if chunk * 128 + e < n:
//                                            i = chunk * 128 + e
//                                            B[i] = A[i]
//
//     for i in T.Parallel(n):          for i in T.Parallel(64):       x: a fragment of 64, or a
//       x[i] = A[i]                      if i < n:                    shared tile
//                                          x[i] = A[i]
#pragma once

#include "core/ir/module.h"

namespace tilescope {

// Loops for which neither form serves stay as they are: the compiler says why it takes none of
// them. The same pointer: there is none to change.
const Function *shareRunTimeLoops(Context &context, const Function &function);

} // namespace tilescope
