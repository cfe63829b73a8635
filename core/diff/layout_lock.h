// The layout lock: the shared memory of every kernel instance, in a file that is kept beside the
// kernels, so that a change that makes one grow is seen. Keys are sorted and nothing in it depends
// on the machine:
//
//     { "format": 1, "targets": ["sm_80"],
//       "files": { "gemm.py": { "matmul --set K=512 --target sm_80": { "matmul_kernel": {
//         "peakBytes": 49152, "staticBytes": 0, "blocksPerSm": 3, "proof": "optimal",
//         "buffers": { "A_shared": { "offsetBytes": 0, "sizeBytes": 24576, "versions": 3,
//                                    "atPeak": true }, ...
#pragma once

#include "core/trace/register_use.h"

#include "llvm/Support/Error.h"

#include <map>

namespace tilescope {

struct LockedBuffer {
  int64_t offsetBytes = 0;
  int64_t sizeBytes = 0; // all versions
  int64_t versions = 1;
  bool atPeak = false; // live where most is

  friend bool operator==(const LockedBuffer &, const LockedBuffer &) = default;
};

struct LockedArena {
  int64_t peakBytes = 0; // of dynamic shared memory
  int64_t staticBytes = 0;
  int blocksPerSm = 0; // by shared memory and threads
  RegisterUse registers;
  std::string proof;                           // "optimal" or "gap"
  std::map<std::string, LockedBuffer> buffers; // by key within the function

  friend bool operator==(const LockedArena &, const LockedArena &) = default;
};

// By function of the device code. Empty: the kernel uses no shared memory.
using LockedKernel = std::map<std::string, LockedArena>;

struct LayoutLock {
  // For instances that name none.
  std::vector<std::string> targets;
  // By path of the kernel file as the lock names it, then by label of the instance.
  std::map<std::string, std::map<std::string, LockedKernel>> files;

  friend bool operator==(const LayoutLock &, const LayoutLock &) = default;
};

// Of a compile that came to its end: the plan after its last pass.
LockedKernel lockedKernelOf(const Trace &trace);

std::string writeLock(const LayoutLock &lock);
// `name` is for messages.
llvm::Expected<LayoutLock> readLock(llvm::StringRef text, llvm::StringRef name);

enum class LockChangeKind : uint8_t {
  // More bytes, fewer blocks per SM (also by registers), more that is spilled, or a new buffer
  // where
  // most is live.
  Grew,
  Shrank,
  Changed, // neither: a buffer lies elsewhere, say
};

struct LockChange {
  LockChangeKind kind = LockChangeKind::Changed;
  std::string function;
  std::string text; // "peak 49,152 -> 65,536 bytes: 16,384 more"
};

// Of a function of both: then its registers are not compared.
bool haveRegistersOnOneSide(const LockedKernel &then, const LockedKernel &now);

// What grew comes first. Empty: nothing changed.
std::vector<LockChange> compareLocked(const LockedKernel &then, const LockedKernel &now);

} // namespace tilescope
