// What the threads of a group that runs in step hold: values, registers, and the boxes of buffers
// that a statement names in each of them.
#pragma once

#include "core/exec/shadow.h"
#include "core/exec/tensor.h"
#include "core/ir/module.h"

#include <utility>

namespace tilescope {

// By number in the group; those of threads that were not asked for mean nothing.
using LaneValues = llvm::SmallVector<Number, 32>;

// Who used a register since the last T.wgmma_fence of it.
enum class RegisterUser : uint8_t { Nobody, Threads, Products };

struct RegisterAccess {
  RegisterUser by = RegisterUser::Nobody;
  bool isWrite = false;
};

// One array of registers of every thread, by element and thread.
struct LaneRegisters {
  llvm::SmallVector<int64_t> shape;
  int64_t elements = 1;
  std::vector<Number> values;
  std::vector<uint8_t> isWritten;
  std::vector<RegisterAccess> uses; // the last since a fence

  // False: others have used it since the last fence, and one of the two writes.
  bool use(size_t at, RegisterAccess now) {
    RegisterAccess &last = uses[at];
    bool isOther = last.by != RegisterUser::Nobody && last.by != now.by;
    if (isOther && !last.isWrite && !now.isWrite)
      return true; // the other one still keeps it from being written
    now.isWrite |= last.by == now.by && last.isWrite;
    last = now;
    return !isOther;
  }
};

// The coordinate of a box's element along an extent; the element is what is left for those before
// it. Most are at 0, and dividing is what takes long.
inline int64_t takeCoordinate(int64_t &element, int64_t extent) {
  if (element < extent)
    return std::exchange(element, 0);
  int64_t coordinate = element % extent;
  element /= extent;
  return coordinate;
}

// A box of a buffer, for each thread one of its own, all of the same extents.
struct LaneRegion {
  const Buffer *buffer = nullptr;
  LaneValues slot; // empty: the buffer has no versions
  llvm::SmallVector<LaneValues, 2> min;
  llvm::SmallVector<int64_t> extent;
  LaneRegisters *registers = nullptr; // of a buffer that is none of memory

  int64_t size() const;
};

} // namespace tilescope
