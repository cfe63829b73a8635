// Which slot holds the value of a versioned buffer, wherever no loop indexes it by itself.
//
//     T.copy(S, ...)                    slot 0
//     for k in L (3 versions of S)      slot (k + c) % 3, the loop's own business
//     T.copy(S, ...)                    slot (trip - 1) % 3, or the earlier one if trip is 0
//     T.fill(S, 0)                      a full overwrite goes to slot 0
//
// Where paths meet with different slots there is no one slot; an access there is a conflict, and
// the buffer must not be versioned.
#pragma once

#include "core/ir/module.h"

#include <map>
#include <vector>

namespace tilescope {

struct SlotConflict {
  BufferId buffer;
  const Stmt *access = nullptr; // where the value would be needed
};

struct CurrentSlots {
  // By the statement that makes the access (a parallel nest as a whole) and the buffer.
  std::map<std::pair<StmtId, BufferId>, const Expr *> slots;
  std::vector<SlotConflict> conflicts; // at most one a buffer

  const Expr *find(StmtId stmt, BufferId buffer) const {
    auto found = slots.find({stmt, buffer});
    return found == slots.end() ? nullptr : found->second;
  }
};

// The loops that version buffers, with their counts.
using LoopVersions = std::map<StmtId, llvm::ArrayRef<VersionCount>>;

// For all buffers that some loop gives more than one version.
CurrentSlots computeCurrentSlots(Context &context, const Function &function,
                                 const LoopVersions &loops);

} // namespace tilescope
