// Elements of global memory to which several blocks write different values: which of them stays
// depends on the order of the blocks, which nobody promises.
#pragma once

#include "core/exec/tensor.h"
#include "core/support/ids.h"

#include "llvm/ADT/BitVector.h"

#include <cstdint>
#include <map>
#include <vector>

namespace tilescope {

class Overwrites {
public:
  void watch(BufferId tensor, int64_t elements);
  // Blocks of one launch come after those of the one before.
  void startLaunch();

  // Sets an element; by one thread of the CPU.
  void write(BufferId id, Tensor &tensor, int64_t element, Number value, int64_t block);

  // By element; null if there are none.
  const llvm::BitVector *of(BufferId tensor) const;

private:
  struct Watched {
    std::vector<uint32_t> lastBlock; // counted from 1; 0: none
    llvm::BitVector overwritten;
  };
  std::map<BufferId, Watched> tensors_;
};

} // namespace tilescope
