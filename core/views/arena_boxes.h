// The rectangles of an arena: bytes of a buffer across, an interval of its life down.
//
//                0      16 KiB    32 KiB
//     point 1    +-------+
//           2    |   A   +---------+
//           3    +-------+    B    |      two boxes that share bytes and points are a conflict
//           4            +---------+
#pragma once

#include "core/access/arena_plan.h"

namespace tilescope {

struct ArenaBox {
  uint32_t row = 0; // of the buffer, by offset
  ProgramPoint begin = 0;
  ProgramPoint end = 0;

  friend bool operator==(const ArenaBox &, const ArenaBox &) = default;
};

// What boxes are made of.
struct ByteRange {
  int64_t begin = 0;
  int64_t end = 0; // half-open
};

// Two rows that both hold bytes [beginBytes, endBytes) at the points.
struct ArenaConflict {
  uint32_t first = 0; // rows; first < second
  uint32_t second = 0;
  int64_t beginBytes = 0;
  int64_t endBytes = 0;
  LiveInterval points;

  friend bool operator==(const ArenaConflict &, const ArenaConflict &) = default;
};

// By begin, then in the order given. Linear where points are not much more than boxes.
void sortByBegin(std::vector<ArenaBox> &boxes);

// The conflicts of boxes that are sorted by begin and rows that are sorted by begin; the first few
// of very many. A sweep over the points: n log n.
std::vector<ArenaConflict> findConflicts(const std::vector<ArenaBox> &boxes,
                                         const std::vector<ByteRange> &rows);

} // namespace tilescope
