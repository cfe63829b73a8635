// Runs passes, verifies after each, tells observers.
#pragma once

#include "core/pass/pass_observer.h"

namespace tilescope {

struct PassManagerOptions {
  bool allowHazards = false; // report missing barriers as warnings
  PlanPreferences plan;
};

// After each pass: verifyModule; verifyArena while arena-planned holds; verifyHazards while
// barriers-final holds. The first failure stops the pipeline and is reported with the pass's name.
// Returns null on failure, and when `stop` is set: what the pass made that ran then is thrown away,
// and so is not checked. Observers are called in order before a pass and in reverse order after.
const Module *runPipeline(const Module &module, llvm::MutableArrayRef<PassInstance> pipeline,
                          Context &context, const Target &target, Diagnostics &diagnostics,
                          llvm::ArrayRef<PassObserver *> observers,
                          const PassManagerOptions &options = {}, const StopToken *stop = nullptr);

} // namespace tilescope
