#include "core/target/occupancy.h"

#include "core/target/register_limit.h"

#include <algorithm>

namespace tilescope {

int blocksPerSmByThreads(const Target &target, int64_t threads) {
  if (threads <= 0)
    return target.maxBlocksPerSm;
  return static_cast<int>(
      std::min<int64_t>(target.maxThreadsPerSm / threads, target.maxBlocksPerSm));
}

int blocksPerSmWithoutShared(const Target &target, const BlockDemand &demand) {
  int blocks = blocksPerSmByThreads(target, demand.threads);
  return demand.threads > 0 && demand.registersOfThread > 0
             ? std::min(blocks, blocksPerSmByRegisters(demand.threads, demand.registersOfThread))
             : blocks;
}

int64_t dynamicBytesForBlocks(const Target &target, int blocks, int64_t staticBytes) {
  int64_t unit = target.sharedAllocationBytes;
  int64_t share = target.sharedBytesPerSm / blocks / unit * unit;
  int64_t usable = share - target.reservedSharedBytesPerBlock;
  return std::min(usable, target.sharedBytesPerBlock) - staticBytes;
}

std::vector<OccupancyStep> occupancySteps(const Target &target, int64_t staticBytes,
                                          int64_t threads) {
  return occupancySteps(target, {0, staticBytes, threads});
}

std::vector<OccupancyStep> occupancySteps(const Target &target, const BlockDemand &demand) {
  std::vector<OccupancyStep> steps;
  int most = blocksPerSmWithoutShared(target, demand);
  for (int blocks = 1; blocks <= most; ++blocks) {
    int64_t bytes = dynamicBytesForBlocks(target, blocks, demand.staticBytes);
    if (bytes < 0)
      break;
    steps.push_back({blocks, bytes});
  }
  return steps;
}

int blocksPerSm(const Target &target, const BlockDemand &demand) {
  int blocks = 0;
  for (const OccupancyStep &step : occupancySteps(target, demand))
    if (demand.dynamicBytes <= step.dynamicBytes)
      blocks = step.blocks;
  return blocks;
}

} // namespace tilescope
