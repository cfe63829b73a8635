// What a loop counts up that its statements divide for: the slots of rings, and the parities of the
// phases of their mbarriers, which change where the slot comes back to 0.
//
//     for k in T.serial(64, ..., counters=True):      slot: first wave * 64 % 3
//       T.mbarrier_wait(full[(wave * 64 + k) % 3, 0], (wave * 64 + k) // 3 % 2)
//       T.gemm(A_shared[(wave * 64 + k) % 3, ...])    parity: first wave * 64 // 3 % 2
//
// The IR keeps the divisions, from which lifetimes, hazards and phases are judged.
#pragma once

#include "core/ir/module.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace tilescope {

// One value of a loop, which changes from iteration to iteration.
struct CountedValue {
  const Expr *first = nullptr;           // in the first iteration, by variables outside of the loop
  llvm::SmallVector<const Expr *> forms; // how statements of the loop write it
};

// `slot` is one more in each iteration, and 0 behind `slots - 1`; there each parity is the other.
struct RingCounter {
  int64_t slots = 0; // no power of two
  CountedValue slot;
  llvm::SmallVector<CountedValue, 1> parities;
};

// Of the loops that ask for it (Pipeline::counters). A form that is not recognised is in none.
llvm::DenseMap<const For *, std::vector<RingCounter>> computeRingCounters(Context &context,
                                                                          const Function &function);

} // namespace tilescope
