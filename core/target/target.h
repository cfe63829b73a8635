// What a GPU can do and how much it has. Figures: CUDA C++ Programming Guide, "Compute
// Capabilities".
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace tilescope {

struct Target {
  llvm::StringRef name; // "sm_80", "sm_90a"
  int major = 0;
  int minor = 0;
  // Bytes of shared memory one block may use, dynamic and static together.
  int64_t sharedBytesPerBlock = 0;
  int64_t sharedBytesPerSm = 0;
  int64_t reservedSharedBytesPerBlock = 0; // taken by the system from each block's share
  int64_t sharedAllocationBytes = 128;     // a block's share is a multiple of it
  int maxThreadsPerSm = 0;
  int maxBlocksPerSm = 0;
  // Multiprocessors of a board that has this GPU: A100, GeForce RTX 3090 and 4090, H100 SXM, B200,
  // GeForce RTX 5090 (NVIDIA's data sheets).
  int64_t multiprocessors = 0;

  bool hasCpAsync() const { return major >= 8; }
  // mma.sync of fp8 (PTX ISA, "mma": sm_89 or higher).
  bool hasFloat8Mma() const { return major > 8 || (major == 8 && minor >= 9); }
  // wgmma (PTX ISA: sm_90a, and no later one).
  bool hasWgmma() const { return name == "sm_90a"; }
  // Warp groups with registers of their own number (PTX ISA, "setmaxnreg": sm_90a; what later GPUs
  // have instead is not made here).
  bool hasRoles() const { return hasWgmma(); }
  // Copies of boxes of tensors that mbarriers count (PTX ISA, "cp.async.bulk.tensor": sm_90 or
  // higher; here where wgmma reads what they bring).
  bool hasTma() const { return hasWgmma(); }
  // Clusters of blocks (PTX ISA, ".reqnctapercluster": sm_90 or higher).
  bool hasClusters() const { return major >= 9; }
  // Atomic sums of 4, 8 and 16 bytes of global memory (PTX ISA, "red": vectors and bf16x2 are of
  // sm_90 or higher).
  bool hasVectorSums() const { return major >= 9; }
  // Launches that wait in themselves for those before (PTX ISA, "griddepcontrol": sm_90 or higher).
  bool hasDependentLaunches() const { return major >= 9; }
};

llvm::ArrayRef<Target> allTargets();
// The error lists all names.
llvm::Expected<const Target *> findTarget(llvm::StringRef name);

} // namespace tilescope
