// Accesses to shared memory, and to arrays of registers, that are not shown to stay inside of their
// buffer. Where one does not, it touches bytes of whatever lies beside, and nothing that was
// decided by buffers holds; in an array of registers it is undefined what it touches.
//
//     s[tx * 8 + v]         128 threads, v in [0, 8), s of 1024       shown
//     s[P[i]]               an index that was loaded                  not shown
//     if 0 <= P[i] < 8:     nobody writes to P, s of 8                shown
//       s[P[i]]
//     if i < n: s[i + 1]    n <= 1024 is not known                    not shown
//
// Global memory is guarded where it must be (guard-memory-access).
#pragma once

#include "core/ir/module.h"

#include <vector>

namespace tilescope {

struct UnprovenBound {
  const Stmt *stmt = nullptr;
  BufferId buffer;
};

// In program order, each buffer once a statement. Cached in the context.
const std::vector<UnprovenBound> &findUnprovenBounds(Context &context, const Function &function);

} // namespace tilescope
