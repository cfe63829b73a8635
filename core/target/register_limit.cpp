#include "core/target/register_limit.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <utility>

namespace tilescope {

namespace {

constexpr int64_t ThreadsPerWarp = 32;

// One more than there are block slots where it does not limit.
int blocksBySharedMemory(const Target &target, const BlockDemand &demand) {
  int blocks = 0;
  while (blocks <= target.maxBlocksPerSm &&
         demand.dynamicBytes <= dynamicBytesForBlocks(target, blocks + 1, demand.staticBytes))
    ++blocks;
  return blocks;
}

} // namespace

int blocksPerSmByRegisters(int64_t threads, int64_t registersOfThread) {
  if (registersOfThread > MaxRegistersPerThread)
    return 0;
  auto ofWarp =
      static_cast<int64_t>(llvm::alignTo(registersOfThread * ThreadsPerWarp, RegisterUnit));
  int64_t warpsOfFile = RegistersPerSm / RegisterFilesPerSm / ofWarp;
  return static_cast<int>(warpsOfFile * RegisterFilesPerSm /
                          llvm::divideCeil(threads, ThreadsPerWarp));
}

llvm::StringRef toString(OccupancyLimit limit) {
  switch (limit) {
  case OccupancyLimit::SharedMemory:
    return "shared-memory";
  case OccupancyLimit::Threads:
    return "threads";
  case OccupancyLimit::Blocks:
    return "blocks";
  case OccupancyLimit::Registers:
    return "registers";
  }
  llvm_unreachable("unknown limit");
}

Occupancy occupancyOf(const Target &target, const BlockDemand &demand, int64_t registersOfThread) {
  std::vector<std::pair<OccupancyLimit, int>> allowed = {
      {OccupancyLimit::SharedMemory, blocksBySharedMemory(target, demand)},
      {OccupancyLimit::Blocks, target.maxBlocksPerSm}};
  if (demand.threads > 0)
    allowed.emplace_back(OccupancyLimit::Threads,
                         static_cast<int>(target.maxThreadsPerSm / demand.threads));
  if (demand.threads > 0 && registersOfThread > 0)
    allowed.emplace_back(OccupancyLimit::Registers,
                         blocksPerSmByRegisters(demand.threads, registersOfThread));
  Occupancy occupancy{target.maxBlocksPerSm, {}};
  for (const auto &[limit, blocks] : allowed)
    occupancy.blocks = std::min(occupancy.blocks, blocks);
  for (const auto &[limit, blocks] : allowed)
    if (blocks == occupancy.blocks)
      occupancy.limits.push_back(limit);
  return occupancy;
}

} // namespace tilescope
