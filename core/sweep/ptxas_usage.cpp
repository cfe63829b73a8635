#include "core/sweep/ptxas_usage.h"

#include "core/target/device_listing.h"

namespace tilescope {

std::optional<PtxasUsage> usageOf(llvm::StringRef ptxasLog) {
  PtxasUsage usage;
  for (const KernelResources &kernel : readPtxasLog(ptxasLog)) {
    usage.registers[kernel.kernel] = kernel.registers;
    usage.spillBytes += kernel.spillBytes();
  }
  return usage.registers.empty() ? std::nullopt : std::optional(std::move(usage));
}

} // namespace tilescope
