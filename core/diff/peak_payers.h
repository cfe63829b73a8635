// Who pays for the growth of an arena, to the byte.
//
// At the point where most is live the height of an arena is the sum of the buffers that live there,
// and what lies between them: padding to alignments, and gaps that no buffer fills.
//
//   before  32,768 = A 16,384 + B 16,384             after  57,344 = A 32,768 + B 16,384 + C 8,192
//
//   A  +16,384  2 -> 4 versions
//   C   +8,192  is new                               together +24,576: the growth
#pragma once

#include "core/diff/trace_diff.h"

namespace tilescope {

struct PeakPayer {
  std::string buffer; // "": padding and gaps
  std::optional<BufferKey> key;
  int64_t bytesBefore = 0; // of the peak; 0: it is not live there
  int64_t bytesAfter = 0;
  std::string why; // "2 -> 4 versions"

  int64_t deltaBytes() const { return bytesAfter - bytesBefore; }
};

// One function of either compile; null: that compile lacks it. `buffers` are those of both whole
// compiles. Who pays most comes first, and the deltas add up to that of the heights.
//
// Where several points of `before` are equally high, the one that explains the change with the
// fewest bytes counts.
std::vector<PeakPayer> peakPayers(const ArenaRecord *before, const ArenaRecord *after,
                                  const std::vector<BufferDiff> &buffers);

} // namespace tilescope
