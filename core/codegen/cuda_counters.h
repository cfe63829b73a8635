// Variables that count slots of rings and their parities up (core/analysis/ring_counters.h):
//
//     int slot = wave % 3; // (wave + k) % 3, counted up
//     for (int k = 0; k < 64; ++k) {
//       ...                                    what asks for (wave + k) % 3 gets `slot`
//       slot = slot == 2 ? 0 : slot + 1;
//     }
#pragma once

#include "core/analysis/ring_counters.h"
#include "core/codegen/cuda_exprs.h"
#include "core/codegen/cuda_state.h"

namespace tilescope {

class CudaCounters {
public:
  CudaCounters(CudaFunctionState &state, CudaExprs &exprs)
      : state_(state), exprs_(exprs),
        rings_(computeRingCounters(state.module.context, state.function)) {}

  // Those of one loop.
  struct Names {
    const RingCounter *ring = nullptr;
    std::string slot;
    llvm::SmallVector<std::string, 1> parities;
  };
  using LoopNames = llvm::SmallVector<Names, 1>;

  // Names in the block around the loop, in which they are declared.
  LoopNames declare(const For &loop);
  // In front of the loop, whose variable has a name by now. Until CudaVars::setHeld they stand for
  // what they count.
  void start(llvm::ArrayRef<Names> counters);
  // At the end of an iteration.
  void advance(llvm::ArrayRef<Names> counters);

private:
  CudaFunctionState &state_;
  CudaExprs &exprs_;
  const llvm::DenseMap<const For *, std::vector<RingCounter>> rings_;
};

} // namespace tilescope
