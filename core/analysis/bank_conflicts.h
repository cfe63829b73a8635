// How often lanes of a warp get in each other's way in shared memory, counted
// by going through them.
//
// Shared memory has 32 banks of 4 bytes and gives one word of each in a pass. A
// warp whose lanes move 4 bytes or less is served at once; of 8 bytes a half of
// its lanes, of 16 bytes a quarter (as ldmatrix reads the 8 rows of a matrix).
// Each of these groups takes as many passes as the words that it wants from one
// bank; lanes that want the same word get it together.
//
//     s[tx]            float32     1 pass of least 1
//     s[tx * 2]        float32     2 passes of least 1
//     s[tx, 0]         32 x 32     32 passes of least 1; with a pitch of 33
//     elements 1
#pragma once

#include "core/ir/module.h"

#include <vector>

namespace tilescope {

struct BankAccess {
  const Stmt *stmt = nullptr;
  BufferId buffer;
  bool isWrite = false;
  int64_t bytes = 0;  // of one lane
  int64_t passes = 0; // of the warp that takes most; 0: its places are not known
  int64_t least = 0;  // that it would take without conflicts

  friend bool operator==(const BankAccess &, const BankAccess &) = default;
};

// In program order, of statements of single threads and warps; equal ones of
// one statement once.
std::vector<BankAccess> computeBankAccesses(Context &context, const Function &function);

} // namespace tilescope
