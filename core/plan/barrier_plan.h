// Where block barriers must stand: as few as can be, in loops as rarely as can be.
//
// A hazard is a pair of accesses of the same bytes by different threads, one of them a write. It is
// resolved by a barrier at any site that lies on every path from the first to the second; for an
// asynchronous copy the path begins at the wait that covers it.
//
//     loop:                 GEMM, 3 slots
//       wait                  copy of slot k arrived   -> gemm reads it       sites a, b
//       ----- site a           gemm read slot k - 1     -> refilled            sites a, c
//       issue slot k + 2
//       ----- site b           a resolves both: {wait, barrier, issue, gemm}
//       gemm slot k
//       ----- site c
//
// Barriers that are there already count. Shares no code with checkHazards.
#pragma once

#include "core/access/access_program.h"
#include "core/access/buffer_bytes.h"

#include <functional>
#include <set>

namespace tilescope {

struct HazardPair {
  BufferId first;
  BufferId second; // the same buffer, or one that shares its bytes
  StmtId firstStmt;
  StmtId secondStmt;

  friend auto operator<=>(const HazardPair &, const HazardPair &) = default;
};

struct BarrierSite {
  uint32_t seq = 0;    // node of the program
  uint32_t before = 0; // the child before which it stands; the number of children: at the end
  double runs = 1;     // how often it is passed
  std::vector<HazardPair> separates; // sorted
};

struct BarrierPlan {
  std::vector<BarrierSite> sites;   // in program order
  std::vector<HazardPair> unsolved; // no site that all threads reach separates them
};

// Whether a hazard is looked at.
using ConcernsHazard = std::function<bool(const HazardPair &)>;

// `bytes` may be empty: then every buffer is its own storage. Once `stop` gives true, which is
// asked now and then, the plan is of no use.
BarrierPlan planBarriers(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
                         const std::function<bool()> &stop = {},
                         const ConcernsHazard &concerns = {});

// Whether an If has barriers in both of its arms, with those of the program and some in each of the
// nodes `seqs`. A hazard behind it may then need none of its own.
bool standInBothArms(const AccessProgram &program, const std::set<uint32_t> &seqs);

} // namespace tilescope
