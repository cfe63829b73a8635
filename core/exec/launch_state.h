// What the blocks of one launch have in common, and one block while it runs.
#pragma once

#include "core/exec/block_frame.h"
#include "core/exec/shared_memory.h"

namespace tilescope {

// Tensors, and what is known of their elements.
struct GlobalState {
  GlobalMemory &memory;
  std::map<BufferId, Shadow> shadows; // of tensors that the launch writes
};

struct LaunchState {
  const Function &function;
  GlobalState &global;
  Findings &findings;
  // Barriers stand where they are needed; else threads meet after each statement.
  bool hasBarriers = false;
  // Conditions stand where an access may be outside of a tensor; else such a read gives 0, and such
  // a write does nothing.
  bool isGuarded = false;
};

struct BlockState {
  LaunchState &launch;
  int64_t block = 0;
  SharedMemory shared;
  llvm::DenseMap<uint32_t, Number> uniform; // variables that are equal in all threads, by id
};

} // namespace tilescope
