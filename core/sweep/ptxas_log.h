// What `ptxas -v` prints of the kernels that it assembles:
//
//     ptxas info    : Function properties for matmul_kernel
//         0 bytes stack frame, 8 bytes spill stores, 16 bytes spill loads
//     ptxas info    : Used 223 registers, used 1 barriers, 384 bytes cmem[0]
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace tilescope {

struct PtxasUsage {
  std::map<std::string, int64_t> registers; // of a thread, by kernel
  int64_t spillBytes = 0;                   // stores and loads of all kernels

  friend bool operator==(const PtxasUsage &, const PtxasUsage &) = default;
};

// nullopt: the log speaks of no kernel.
std::optional<PtxasUsage> readPtxasLog(llvm::StringRef log);

} // namespace tilescope
