// What the threads of a group that runs in step hold: values, registers, and the boxes of buffers
// that a statement names in each of them.
#pragma once

#include "core/exec/shadow.h"
#include "core/exec/tensor.h"
#include "core/ir/module.h"

namespace tilescope {

// By number in the group; those of threads that were not asked for mean nothing.
using LaneValues = llvm::SmallVector<Number, 32>;

// One array of registers of every thread, by element and thread.
struct LaneRegisters {
  llvm::SmallVector<int64_t> shape;
  int64_t elements = 1;
  std::vector<Number> values;
  std::vector<uint8_t> isWritten;
};

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
