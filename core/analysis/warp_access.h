// One access of memory by the lanes of each warp: what bank_conflicts and global_accesses count of.
#pragma once

#include "core/ir/module.h"

#include <optional>
#include <vector>

namespace tilescope {

struct WarpAccess {
  const Stmt *stmt = nullptr;
  BufferId buffer;
  bool isWrite = false;
  int64_t bytes = 0; // of one lane
  // By warp and lane: the element of the buffer (of one version), in row-major order, that it
  // begins at, in the iteration in which the warp costs most; nullopt: it takes no part. Empty: not
  // known.
  std::vector<std::vector<std::optional<int64_t>>> warps;
  bool isShifted = false; // all elements lie further, by what is known at run time only
};

inline bool isSameAccess(const WarpAccess &a, const WarpAccess &b) {
  return a.stmt == b.stmt && a.buffer == b.buffer && a.isWrite == b.isWrite && a.bytes == b.bytes;
}

} // namespace tilescope
