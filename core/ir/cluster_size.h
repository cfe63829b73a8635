// How many blocks a cluster has.
#pragma once

#include "core/ir/stmt.h"

#include <algorithm>

namespace tilescope {

// Of up to three extents; one above MaxBlocksOfCluster counts as one more than it, one below 1 as
// none.
inline int64_t blocksOfCluster(llvm::ArrayRef<int64_t> extents) {
  int64_t blocks = 1;
  for (int64_t extent : extents)
    blocks *= std::clamp<int64_t>(extent, 0, MaxBlocksOfCluster + 1);
  return blocks;
}

} // namespace tilescope
