// What a sweep takes of what `ptxas -v` says (core/target/device_listing.h).
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
std::optional<PtxasUsage> usageOf(llvm::StringRef ptxasLog);

} // namespace tilescope
