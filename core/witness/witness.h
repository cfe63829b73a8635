// What emitted CUDA computes, without a GPU: its text is compiled for this machine by clang, with
// host/ for what CUDA has besides, and runs in a process of its own.
#pragma once

#include "core/codegen/cuda_source.h"
#include "core/exec/problem.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace tilescope {

struct WitnessOptions {
  bool isReversed = false; // the last thread goes first
  unsigned secondsLimit = 300;
};

// What stopped the kernel.
struct WitnessFault {
  std::string text; // "accesses bytes behind shared memory"
  int64_t block = 0;
  int64_t thread = 0;
};

// Runs all launches. `memory` holds the problem's tensors, which are changed as the kernels do.
// Error: no clang, text that it does not accept, or a kernel that does not end in time.
llvm::Expected<std::optional<WitnessFault>> runWitness(const CudaSource &cuda,
                                                       const Problem &problem, GlobalMemory &memory,
                                                       const WitnessOptions &options);

} // namespace tilescope
