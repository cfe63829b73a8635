// How many blocks are resident on one SM, and at how many bytes of shared memory one more fits.
//
// A block takes its dynamic and static bytes and what the system reserves, rounded up to the unit
// in which shared memory is handed out. Registers limit too, where it is known how many there are
// (`register_limit.h`).
//
//   sm_80, 164 KiB an SM, no static bytes:
//   blocks         1        2       3       4
//   dynamic     <= 166,912  82,944  54,912  40,960
//
// Source: CUDA C++ Programming Guide, "Compute Capabilities"; for the unit, cuda_occupancy.h of the
// CUDA Toolkit.
#pragma once

#include "core/target/target.h"

#include <vector>

namespace tilescope {

// What one block asks for.
struct BlockDemand {
  int64_t dynamicBytes = 0;
  int64_t staticBytes = 0;
  int64_t threads = 0;           // 0: unknown, no limit
  int64_t registersOfThread = 0; // 0: unknown, no limit
};

// Blocks of this demand that fit on one SM; 0: not even one.
int blocksPerSm(const Target &target, const BlockDemand &demand);

// Blocks that fit by threads and block slots alone, however little shared memory each takes.
int blocksPerSmByThreads(const Target &target, int64_t threads);
// And by registers.
int blocksPerSmWithoutShared(const Target &target, const BlockDemand &demand);

// Most dynamic bytes a block may take so that `blocks` fit; negative: static bytes alone are too
// many. `blocks` is at least 1.
int64_t dynamicBytesForBlocks(const Target &target, int blocks, int64_t staticBytes);

// Where the number of blocks changes: the most dynamic bytes for 1, 2, ... blocks, as far as
// threads and slots allow and bytes remain.
struct OccupancyStep {
  int blocks = 0;
  int64_t dynamicBytes = 0;

  friend bool operator==(const OccupancyStep &, const OccupancyStep &) = default;
};
std::vector<OccupancyStep> occupancySteps(const Target &target, int64_t staticBytes,
                                          int64_t threads);
// As far as registers allow too; the bytes of the demand do not count.
std::vector<OccupancyStep> occupancySteps(const Target &target, const BlockDemand &demand);

} // namespace tilescope
