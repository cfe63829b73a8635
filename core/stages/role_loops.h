// A pipelined loop of warps with roles, for each role: what its threads wait for, copy, read and
// arrive at in each iteration.
//
//     the role that loads, 3 slots        0     1     2     3     4
//     waits for empty[0..2]               [0] - [1] - [2] - [0] 0 [1] 0     "-": the phase before
//     has ended copies to A_shared                  0     1     2     0     1         slots arrives
//     at full[0..2]               [0] 0 [1] 0 [2] 0 [0] 1 [1] 1     phases
//
// Phases are counted from 0 in the order in which the role waits and arrives; what cannot be
// counted is left open.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

// What a row does in one iteration.
struct RoleStep {
  int64_t iteration = 0;
  std::optional<int> mbarrier;  // index into the program's; nullopt: none, or not known
  std::optional<int64_t> phase; // waits for its end, or is a part of it; nullopt: not known
  bool passesAtOnce = false; // a wait for the phase before the first that the role has not seen end
  std::optional<int64_t> slot; // of an access; nullopt: not known
};

// A statement of the loop, or one of its accesses.
struct RoleRow {
  static constexpr size_t NoAccess = SIZE_MAX;

  uint32_t node = 0;
  size_t access = NoAccess;
  std::vector<RoleStep> steps; // by iteration, at most one each
};

struct RoleLoop {
  const AccessRecord *accesses = nullptr;
  StmtId loop;
  size_t lane = 0; // of the roles, from 0
  size_t laneCount = 0;
  int64_t threads = 0;          // of the role; 0: not known
  std::optional<int64_t> trips; // nullopt: not known, and the first iterations stand for all
  std::vector<RoleRow> rows;    // in program order
  std::string refusal;          // why there are no rows; ""
};

// Whether a loop of a program stands in a role.
bool isInRole(const AccessProgram &program, StmtId loop);

// Of the pipelined loops of a snapshot that stand in roles, function by function, in program order.
// They point into the snapshot. What a wait or an arrival reads of its mbarrier is no row.
std::vector<RoleLoop> roleLoopsOf(const TraceSnapshot &snapshot);

} // namespace tilescope
