// What one change to one buffer would gain.
//
//   bytes ^                        K lives shorter: it may lie over Q
//         |  +---+                   +---+
//         |  | K |                   +---+---+
//         |  +---+---+               | Q | K |
//         |  |   Q   |               |   |   |
//         +--+-------+--> time       +---+---+--> time
#pragma once

#include "core/access/arena_plan.h"

namespace tilescope {

struct Saving {
  enum Kind : uint8_t {
    ShorterLife,   // it ends before the peak or begins after it, whichever gains more
    FewerVersions, // one version less
    NoPadding,     // aligned like the least aligned buffer
  };

  Kind kind = ShorterLife;
  BufferId buffer;
  int64_t heightBytes = 0; // after the change
  int64_t gainBytes = 0;   // positive

  friend bool operator==(const Saving &, const Saving &) = default;
};

// Single changes that lower the height, largest gain first, ties in the order of the problem's
// buffers. Each is planned anew with `nodeBudget`; what gains nothing is left out. The peak is
// the point of the certificate of the unchanged problem.
std::vector<Saving> cheapestSavings(const ArenaProblem &problem, int64_t nodeBudget);

} // namespace tilescope
