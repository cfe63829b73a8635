// What ptxas says of emitted CUDA, for every verb that counts blocks per SM.
#pragma once

#include "cli/command_line.h"
#include "core/target/device_listing.h"
#include "core/trace/trace.h"

namespace tilescope {

// Through NVRTC or nvcc. The error: it cannot be compiled, or this program was built without the
// CUDA headers.
llvm::Expected<std::string> askPtxasLog(const std::string &cuda, const std::string &architecture,
                                        bool fastMath, const std::string &cudaPath);

// --ptxas of a verb.
class PtxasOption {
public:
  explicit PtxasOption(llvm::cl::OptionCategory &category)
      : ptxas_(
            "ptxas",
            llvm::cl::desc("Count registers too, and say what is spilled, through NVRTC or nvcc"),
            llvm::cl::cat(category)) {}
  bool isGiven() const { return ptxas_; }
  // An error if it was given and there is no ptxas to ask, said once and not of each of many
  // kernels.
  llvm::Error check(const std::string &cudaPath = "") const;
  // Puts registers and spills of its kernels into the trace, if they were asked for and it has
  // none.
  llvm::Error addTo(Trace &trace, const std::string &cudaPath = "") const;

private:
  llvm::cl::opt<bool> ptxas_;
};

} // namespace tilescope
