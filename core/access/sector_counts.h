// What a warp moves of global memory: whole sectors of 32 bytes, four of which make a line of 128.
//
//     byte = 4 * lane       4 sectors of least 4, in 1 line
//     byte = 8 * lane       8 sectors of least 4, in 2 lines
//     byte = 128 * lane     32 sectors of least 4, in 32 lines
#pragma once

#include "core/access/bank_passes.h"

namespace tilescope {

inline constexpr int64_t SectorBytes = 32;
inline constexpr int64_t LineBytes = 128;

struct SectorCounts {
  int64_t sectors = 0;
  int64_t least = 0; // if its bytes, each counted once, lay together
  int64_t lines = 0;

  friend bool operator==(const SectorCounts &, const SectorCounts &) = default;
};

// `bytes` has the first byte of each lane, from where a line begins; nullopt: it takes no part.
SectorCounts sectorCountsOf(LaneBytes bytes, int64_t laneBytes);

// The sector, or the line, of a byte, which may lie before the beginning.
int64_t sectorOf(int64_t byte);
int64_t globalLineOf(int64_t byte);

} // namespace tilescope
