#include "core/access/sector_counts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <limits>

namespace tilescope {

namespace {

int64_t partOf(int64_t byte, int64_t bytes) {
  return byte >= 0 ? byte / bytes : -((bytes - 1 - byte) / bytes);
}

} // namespace

int64_t sectorOf(int64_t byte) { return partOf(byte, SectorBytes); }
int64_t globalLineOf(int64_t byte) { return partOf(byte, LineBytes); }

SectorCounts sectorCountsOf(LaneBytes bytes, int64_t laneBytes) {
  llvm::SmallVector<int64_t, WarpLanes> firsts;
  for (const std::optional<int64_t> &byte : bytes)
    if (byte)
      firsts.push_back(*byte);
  llvm::sort(firsts);
  // All lanes are as wide, so that what is counted ends where the last one does.
  SectorCounts counts;
  int64_t moved = 0;
  constexpr int64_t None = std::numeric_limits<int64_t>::min();
  int64_t byte = None, sector = None, line = None; // the last that was counted
  auto count = [](int64_t first, int64_t last, int64_t &counted, int64_t &number) {
    int64_t from = std::max(first, counted == None ? first : counted + 1);
    number += std::max<int64_t>(last - from + 1, 0);
    counted = std::max(last, counted);
  };
  for (int64_t first : firsts) {
    int64_t last = first + laneBytes - 1;
    count(first, last, byte, moved);
    count(sectorOf(first), sectorOf(last), sector, counts.sectors);
    count(globalLineOf(first), globalLineOf(last), line, counts.lines);
  }
  counts.least = (moved + SectorBytes - 1) / SectorBytes;
  return counts;
}

} // namespace tilescope
