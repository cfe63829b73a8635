// Which statements of a kernel are given to what only a Hopper GPU has.
#pragma once

#include "core/pass/pass.h"

namespace tilescope {

struct HopperChoice {
  bool products = true;   // by wgmma
  bool roleStores = true; // of shared tiles to tensors, by TMA, where roles do it
  bool stores = false;    // where all threads do, too
};

// Atomic operations of tiles go by TMA where the kernel asks for it. With those that can be, and
// with which the function has layouts, as `hasLayouts` tries; else as it is. A remark says why not
// of each that stays.
const Function *withHopper(const Function &function, PassContext &pass, const HopperChoice &choice,
                           llvm::function_ref<bool(const Function &, PassContext &)> hasLayouts);

} // namespace tilescope
