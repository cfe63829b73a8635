// What `ptxas -v` prints of the kernels that it assembles:
//
//     ptxas info    : Function properties for matmul_kernel
//         0 bytes stack frame, 8 bytes spill stores, 16 bytes spill loads
//     ptxas info    : Used 223 registers, used 1 barriers, 384 bytes cmem[0]
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace tilescope {

struct PtxasUsage {
  int64_t registers = 0;  // of a thread, of the kernel that takes most
  int64_t spillBytes = 0; // stores and loads of all kernels

  friend bool operator==(const PtxasUsage &, const PtxasUsage &) = default;
};

// nullopt: the log speaks of no kernel.
std::optional<PtxasUsage> readPtxasLog(llvm::StringRef log);

} // namespace tilescope
