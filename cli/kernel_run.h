// A compiled kernel on the GPU, and beside it the reference: what `run` prints.
#pragma once

#include "core/driver/compile.h"
#include "core/exec/compare.h"

#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace tilescope {

struct RunOptions {
  bool check = false;
  bool bench = false;
  uint64_t seed = 0;
  std::map<std::string, int64_t> scalars;   // run-time scalars and dynamic dimensions
  std::map<std::string, std::string> fills; // tensor: how (core/exec/inputs.h)
  std::string cudaPath;
};

struct RunLaunch {
  std::string kernel;
  int64_t grid[3] = {1, 1, 1};
  int64_t threads = 0;
  int64_t sharedBytes = 0; // dynamic and static
  int registers = 0;
  int localBytes = 0; // spills and arrays in memory, a thread
};

struct RunCheck {
  std::string tensor;
  double tolerance = 0;
  Comparison comparison;
  bool isSample = false;
};

struct RunTimes {
  double medianMs = 0; // of one run of all launches
  double minMs = 0;
  int64_t runs = 0;
  int64_t sets = 0;       // sets of tensors that were rotated
  double gemmFlop = 0;    // 0: unknown
  double tensorBytes = 0; // of all parameters, once
};

struct RunResult {
  std::string device;
  std::string architecture; // compiled for
  std::string compiler;
  std::vector<RunLaunch> launches;
  std::vector<RunCheck> checks;
  std::optional<RunTimes> times;

  bool passed() const;
};

// Compiles the emitted CUDA for the GPU of this machine and runs it. Shared memory is held to what
// the compile's target has.
llvm::Expected<RunResult> runKernel(const CompileResult &compiled, const RunOptions &options);

} // namespace tilescope
