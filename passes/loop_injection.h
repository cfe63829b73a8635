// What inject-pipeline makes of one pipelined loop.
#pragma once

#include "core/analysis/current_slots.h"
#include "passes/counted_copies.h"

namespace tilescope {

struct InjectedLoop {
  std::string fault; // why its schedule does not fit its body, and nothing was made; empty: it does
  llvm::SmallVector<const Stmt *> stmts;
  CountedGroups counted; // whose mbarriers have yet to be initialised
};

struct LoopInjectionOptions {
  bool peelEpilogue = false;
  bool tma = false;
  bool runsOnce = false; // nothing is around the loop that may leave it out or run it again
  bool counters = false; // count slots up where a ring has no power of two of them
  int64_t readers = 0;   // threads that compute while a warp of its own copies; 0: all do both
  // Iterations in the tiles before, from which counts go on; null: there is one tile.
  const Expr *before = nullptr;
};

// `tableVersions`: of all buffers that have more than one anywhere.
InjectedLoop injectLoop(PassContext &pass, const Function &function, const For &loop,
                        const std::map<BufferId, int64_t> &tableVersions, const CurrentSlots &slots,
                        AddedBuffers &added, const LoopInjectionOptions &options);

} // namespace tilescope
