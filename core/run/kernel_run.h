// A compiled kernel on the GPU, and beside it the reference: what `run` prints.
#pragma once

#include "core/driver/compile.h"
#include "core/exec/output_verdict.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tilescope {

struct RunOptions {
  bool check = false;
  bool bench = false;
  bool keepsOutputs = false;
  uint64_t seed = 0;
  std::string cudaPath;
  std::string lockPath; // file to hold while the GPU is in use, made where missing; "": none
  int gpu = 0;          // of those that the driver shows
  // Called when the GPU is this run's alone: it launches from now on.
  std::function<void()> onTurn;
};

struct RunLaunch {
  std::string kernel;
  int64_t grid[3] = {1, 1, 1};
  int64_t threads = 0;
  int64_t sharedBytes = 0; // dynamic and static
  int registers = 0;
  int localBytes = 0; // spills and arrays in memory, a thread
};

// Of the GPU while it was timed, as NVML says.
struct GpuState {
  int64_t smMhz = 0;            // median
  std::optional<int64_t> watts; // nullopt: the GPU does not say it
  std::optional<int64_t> celsius;
  std::vector<std::string> slowedBy; // why its clock was lower than it can be: "power-cap"
};

struct RunTimes {
  double medianMs = 0; // of one run of all launches
  double minMs = 0;
  int64_t runs = 0;
  int64_t sets = 0;              // sets of tensors that were rotated
  double gemmFlop = 0;           // 0: unknown
  double tensorBytes = 0;        // of all parameters, once
  std::optional<GpuState> state; // nullopt: there is no NVML to ask
};

struct RunResult {
  std::string device;
  std::string architecture; // compiled for
  std::string compiler;
  std::vector<RunLaunch> launches;
  std::string refusal;                // what the kernel does wrong, for which it was not launched
  std::map<BufferId, Tensor> outputs; // what the first run leaves; empty unless asked for
  std::vector<OutputCheck> checks;
  std::optional<RunTimes> times;
};

// Compiles the emitted CUDA for the GPU of this machine and runs it on `problem`. Shared memory is
// held to what the compile's target has. With `check` the reference runs first: what it knows to be
// wrong is not launched.
llvm::Expected<RunResult> runKernel(const CompileResult &compiled, const Problem &problem,
                                    const RunOptions &options);

// What the GPUs of this machine are called, in the driver's order; each can be opened. A process
// that has asked cannot fork for another that uses one.
llvm::Expected<std::vector<std::string>> gpuNames();

// Why no state of a GPU is known; success: one can be asked for.
llvm::Error checkGpuState();

// A GPU of this machine, open: while it is held, runs need not open it anew.
class OpenGpu {
public:
  static llvm::Expected<std::unique_ptr<OpenGpu>> open(int gpu);
  virtual ~OpenGpu() = default;

  // The error of a kernel after which nothing runs until the GPU is let go.
  virtual llvm::Error check() = 0;
};

} // namespace tilescope
