// Races inside of one statement, which no barrier can settle: threads that run it at the same time
// touch one place.
//
//     s[tx] = s[127 - tx]                      thread 0 reads what thread 127 writes
//     vector_copy(s[tx], s[tx + 1])            thread 1 reads what thread 0 writes
//     q[tx] = ...            q is of int4      threads 0 and 1 replace one byte, halves of it
//     q[tx * 2 + j] = ...    for j in 0, 1     a byte has one thread
//
// Of reads and writes only what is certain is told: where an index, a divergent condition or the
// choice of a value is unknown, there may be a race nobody speaks of. Two threads that write one
// element are not told either: they may write the same value. Of parts of bytes everything is told
// that is not certain to be right.
#pragma once

#include "core/ir/module.h"

#include <vector>

namespace tilescope {

struct StatementRace {
  enum class Kind : uint8_t {
    ReadsWhatOthersWrite, // of shared memory
    SharesBytes,          // of elements smaller than a byte, in shared or global memory
  };
  Kind kind;
  const Stmt *stmt = nullptr;
  BufferId buffer;
};

// In program order. Statements of tiles are not looked at.
std::vector<StatementRace> findStatementRaces(Context &context, const Function &function);

} // namespace tilescope
