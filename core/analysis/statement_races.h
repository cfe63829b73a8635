// Races inside of one statement, which no barrier can settle: threads that run it at the same time
// touch one place.
//
//     s[tx] = s[127 - tx]                      thread 0 reads what thread 127 writes
//     vector_copy(s[tx], s[tx + 1])            thread 1 reads what thread 0 writes
//     s[0] = A[tx]                             who comes last decides what is in s[0]
//     q[tx] = ...            q is of int4      threads 0 and 1 replace one byte, halves of it
//     q[tx * 2 + j] = ...    for j in 0, 1     a byte has one thread
//
// Statements that make one leaf of the AccessProgram, such as those of one T.Parallel, count as one
// for what they write: nothing orders their iterations.
//
// Where an index, a divergent condition or a value is unknown, nothing may be certain: the race is
// then one that may be there. Without races of either kind there are none. Of parts of bytes
// everything counts as certain that is not certain to be right.
#pragma once

#include "core/ir/module.h"

#include <vector>

namespace tilescope {

struct StatementRace {
  enum class Kind : uint8_t {
    ReadsWhatOthersWrite,
    WritesOtherValues, // to an element that other threads write
    SharesBytes,       // of elements smaller than a byte
  };
  Kind kind;
  bool isCertain = true;
  const Stmt *stmt = nullptr;
  BufferId buffer;
  const char *doubt = "";      // what is not known, where the race is not certain
  const Stmt *other = nullptr; // in another block; null: the same, or not known
};

// In program order; of shared memory, and of global memory within a block and where several blocks
// write, or read and write (`block_writes.h`), in a function of one launch. Statements of tiles are
// not looked at. Cached in the context.
const std::vector<StatementRace> &findStatementRaces(Context &context, const Function &function);

} // namespace tilescope
