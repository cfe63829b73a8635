// Does a statement read elements that other threads write in the same statement?
//
//     s[tx] = s[tx] + 1            no
//     s[tx] = s[127 - tx]          yes
//     s[tx] = s[A[tx]]             not known
#pragma once

#include "core/analysis/lane_walk.h"

namespace tilescope {

enum class OwnReads : uint8_t {
  Apart,   // no thread does
  Meet,    // some thread does, whenever the statement is run
  Unknown, // some thread may
};

// In one execution by all threads, below the level of tiles.
OwnReads computeOwnReads(Context &context, const StmtPlaces &places, const Stmt &stmt,
                         const Buffer &buffer);

} // namespace tilescope
