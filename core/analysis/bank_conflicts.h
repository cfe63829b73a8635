// How often lanes of a warp get in each other's way in shared memory, counted
// by going through them.
// core/access/bank_passes.h says how shared memory serves them.
//
//     s[tx]            float32     1 pass of least 1
//     s[tx * 2]        float32     2 passes of least 1
//     s[tx, 0]         32 x 32     32 passes of least 1; with a pitch of 33
//     elements 1
#pragma once

#include "core/ir/module.h"

#include <optional>
#include <vector>

namespace tilescope {

struct BankAccess {
  const Stmt *stmt = nullptr;
  BufferId buffer;
  bool isWrite = false;
  int64_t bytes = 0;  // of one lane
  int64_t passes = 0; // of the warp that takes most; 0: its places are not known
  int64_t least = 0;  // that it would take without conflicts
  // By warp and lane: the element of a version, in row-major order, that it begins at, in the
  // iteration in which the warp takes most passes; nullopt: it takes no part. Empty: not known.
  std::vector<std::vector<std::optional<int64_t>>> warps;
  bool isShifted = false; // all elements lie further, by what is known at run time only
};

// In program order, of statements of single threads and warps; equal ones of
// one statement once.
std::vector<BankAccess> computeBankAccesses(Context &context, const Function &function);

} // namespace tilescope
