// How often lanes of a warp get in each other's way in shared memory, counted by going through
// them. core/access/bank_passes.h says how shared memory serves them.
//
//     s[tx]            float32                        1 pass of least 1
//     s[tx * 2]        float32                        2 passes of least 1
//     s[tx, 0]         32 x 32                        32 passes of least 1
//     s[tx, 0]         32 x 32, a pitch of 33         1 pass of least 1
#pragma once

#include "core/analysis/warp_access.h"

namespace tilescope {

struct BankAccess : WarpAccess {
  int64_t passes = 0; // of the warp that takes most; 0: its places are not known
  int64_t least = 0;  // that it would take without conflicts
};

// In program order, of statements of single threads and warps; equal ones of one
// statement once.
std::vector<BankAccess> computeBankAccesses(Context &context, const Function &function);

} // namespace tilescope
