// The planner's own form of an arena problem: boxes, time in sections, bytes in units.
//
//   bytes  ^   +-----+          sections are stretches of time with a constant live set; those
//          |   |  C  |          whose live set lies within a neighbour's are left out, since they
//          | +-+--+--+-+        conflict with nothing new
//          | | A  |  B |
//          +-+----+----+--> sections
//
// A unit is the largest number of bytes that divides all sizes, pins and alignments that matter, so
// that offsets are small integers.
#pragma once

#include "core/access/arena_plan.h"

#include "llvm/ADT/SmallVector.h"

namespace tilescope {

struct SectionRange {
  int32_t begin = 0; // half-open
  int32_t end = 0;
};

struct SearchBox {
  int64_t size = 0; // units, positive
  int64_t alignment = 1;
  // Sorted, disjoint, not empty: a box that is never live has a section of its own.
  llvm::SmallVector<SectionRange, 1> live;
  std::optional<int64_t> pinned; // offset
};

struct SearchProblem {
  std::vector<SearchBox> boxes;
  int32_t sectionCount = 0;
  int64_t unitBytes = 1;

  // Of each box: its buffer in the arena problem. Buffers without bytes have no box.
  std::vector<size_t> bufferOf;

  // The section with the largest total. Without a point where no live set is larger than a box that
  // is never live.
  int64_t peakSize = 0;
  std::optional<ProgramPoint> peakPoint;
  std::vector<size_t> peakBuffers; // ascending
};

using Offsets = std::vector<int64_t>; // per box, units

inline int64_t alignUp(int64_t value, int64_t alignment) {
  return alignment == 1 ? value : (value + alignment - 1) / alignment * alignment;
}

// All offsets are multiples of it: the greatest common divisor of the alignments.
int64_t grainBytesOf(const ArenaProblem &problem);

SearchProblem makeSearchProblem(const ArenaProblem &problem);

// The end of the highest box.
int64_t heightOf(const SearchProblem &problem, const Offsets &offsets);

} // namespace tilescope
