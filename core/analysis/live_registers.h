// What fragments and arrays of threads hold in registers, from where to where.
//
//     acc = T.alloc_local((8,), "float32")      8 registers
//     for i in T.unroll(8): acc[i] = 0          first
//     for k in T.serial(n):                       |  all of the loop: the next iteration reads it
//       T.mma_sync(a, b, acc)                     |
//     for i in T.unroll(8): C[i] = acc[i]       last
//
// A life begins with the first statement that touches the buffer and ends with the last; of a loop
// that is between them, or that reads what an iteration before left, it is all. Registers of
// indices, of addresses and of what nvcc keeps besides are not counted.
#pragma once

#include "core/ir/module.h"

#include <vector>

namespace tilescope {

struct RegisterLife {
  BufferId buffer;
  int64_t registers = 0; // of 32 bits, of one thread
  // The statements that begin and end it, in the order of the text; both count.
  const Stmt *first = nullptr;
  const Stmt *last = nullptr;
};

// Of buffers whose registers are known and that are touched, in the order of the table.
std::vector<RegisterLife> computeRegisterLives(Context &context, const Function &function);

} // namespace tilescope
