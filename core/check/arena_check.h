// Is a memory plan sound? Reads no lifetimes: only accesses and offsets.
//
// Over elementary byte ranges a forward dataflow keeps bits a buffer: written(A), and clobbered(A),
// set when another buffer writes a range where written(A) holds and cleared by a full write of A;
// stale(A), set with it where that write is sure to reach bytes of A, and cleared by any write of
// A. Joins are unions; loops run to a fixpoint, pipelined loops by phases k mod V.
#pragma once

#include "core/access/access_program.h"
#include "core/access/buffer_bytes.h"

#include <string>
#include <vector>

namespace tilescope {

struct ArenaFault {
  enum class Kind : uint8_t {
    ClobberedRead,  // `victim` is read at `stmt` after `culprit` wrote its bytes at `culpritStmt`
    InFlightAccess, // bytes are touched while asynchronous work on `culprit` is under way
    ConcurrentRoles,
    OutOfArena,
  };
  Kind kind;
  BufferId victim;
  BufferId culprit;
  StmtId stmt;
  StmtId culpritStmt;
  int64_t beginByte = 0; // of the shared range, half-open
  int64_t endByte = 0;
  // ClobberedRead: some byte that is read was overwritten, however much the writes of `victim`
  // define.
  bool isStale = false;
  bool isOfRead = false; // InFlightAccess: what is under way only reads, as products do
};

std::vector<ArenaFault> checkArena(const AccessProgram &program,
                                   const std::vector<BufferBytes> &bytes);

struct HazardFault {
  enum class Kind : uint8_t {
    MissingBarrier, // conflicting accesses of different threads with no barrier between them
    NotArrived,     // read before the wait that covers the asynchronous write
    WaitNotShared,  // waited for, but no barrier between the wait and another thread's read
    NotFenced,      // copies and wgmma may not see what threads did themselves
    Unordered,      // by roles and mbarriers: neither is shown to be over before the other
  };
  Kind kind;
  BufferId first;
  BufferId second; // the same buffer, or one that shares its bytes
  StmtId firstStmt;
  StmtId secondStmt;
  bool overBackEdge = false;
  bool isOfRead = false; // NotArrived, WaitNotShared: the first only reads, as products do
};

// Requires a block barrier between conflicting accesses of different threads. `bytes` may be empty:
// then every buffer is its own storage. For hazards an asynchronous write counts at its wait.
std::vector<HazardFault> checkHazards(const AccessProgram &program,
                                      const std::vector<BufferBytes> &bytes);

} // namespace tilescope
