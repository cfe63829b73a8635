// What registers leave of the blocks on an SM. Only ptxas knows how many a kernel takes; where
// nobody asked it, blocksPerSm of occupancy.h is by shared memory and threads.
//
// Registers are handed out by warp, in units, from one of the four register files of an SM:
//
//   212 a thread -> 216; a warp takes 32 * 216 = 6,912; a file of 16,384 has room for 2 warps,
//   four files for 8: two blocks of 128 threads.
//
// Source: CUDA C++ Programming Guide, "Compute Capabilities" (65,536 registers an SM, 255 a thread,
// for all our targets); for the unit and the files, cuda_occupancy.h of the CUDA Toolkit.
#pragma once

#include "core/target/occupancy.h"

namespace tilescope {

inline constexpr int RegistersPerSm = 65536; // of 32 bits
inline constexpr int MaxRegistersPerThread = 255;
inline constexpr int RegisterUnit = 256; // of a warp, so that a thread's are a multiple of 8
inline constexpr int RegisterFilesPerSm = 4;

// What blocks per SM are counted by where nobody asked ptxas; every report of them says so.
inline constexpr llvm::StringLiteral BlocksWithoutRegisters = "shared memory and threads";

// Blocks that fit by registers alone; both counts are known.
int blocksPerSmByRegisters(int64_t threads, int64_t registersOfThread);

enum class OccupancyLimit { SharedMemory, Threads, Blocks, Registers };
llvm::StringRef toString(OccupancyLimit limit); // "shared-memory", "threads", "blocks", "registers"

struct Occupancy {
  int blocks = 0;                     // on an SM; 0: not even one fits
  std::vector<OccupancyLimit> limits; // what allows no more; several, if they allow the same number
};

// `registersOfThread` 0: unknown, no limit.
Occupancy occupancyOf(const Target &target, const BlockDemand &demand, int64_t registersOfThread);

} // namespace tilescope
