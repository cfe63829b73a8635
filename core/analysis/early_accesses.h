// What a launch that begins before the launches before it have ended does in front of its wait for
// them, to tensors that they use:
//
//     launch                launch
//       B[i] = A[i]           w = W[i]           nobody writes it
//                             x = B[i]           may be what was there before
//                             pdl_sync()
//                             C[i] = w * B[i]
//
// Which elements are touched is not asked. Launches of other functions are not known.
#pragma once

#include "core/ir/module.h"

#include <vector>

namespace tilescope {

struct EarlyAccess {
  const Stmt *stmt = nullptr;
  BufferId buffer;
  bool isWrite = false;
  const Stmt *other = nullptr; // of an earlier launch: it writes the tensor, or is written over
};

// In program order; of one statement and buffer one.
std::vector<EarlyAccess> findEarlyAccesses(Context &context, const Function &function);

} // namespace tilescope
