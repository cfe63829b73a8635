// Whether a buffer lives between the same statements in two compiles.
//
// Program points are numbered per snapshot, so equal lives may have different numbers:
//
//   before  0 copy Q   1 copy K   2 gemm Q K   3 copy O
//   after   0 fill S   1 copy Q   2 copy K   3 gemm Q K   4 copy O
//
// Q lives [0, 3) before and [1, 4) after: from its copy to the gemm, the same. The statements are
// aligned by what they access, in terms of matched buffers.
#pragma once

#include "core/diff/buffer_matching.h"

#include <unordered_map>

namespace tilescope {

// Valid as long as both snapshots.
class LifeComparison {
public:
  LifeComparison(const TraceSnapshot &before, const TraceSnapshot &after,
                 const std::vector<BufferPair> &pairs);

  // Also true where neither side knows when the buffer lives.
  bool isSame(BufferId before, BufferId after) const;

  // Of the buffer in the snapshot before or after; empty: unknown, or it is never live.
  const std::vector<LiveInterval> &lifeBefore(BufferId id) const;
  const std::vector<LiveInterval> &lifeAfter(BufferId id) const;

private:
  struct Life {
    size_t program = 0;                                   // index into TraceSnapshot::accesses
    const std::vector<LiveInterval> *intervals = nullptr; // never null
  };
  using Lives = std::unordered_map<BufferId, Life>;
  static Lives livesOf(const TraceSnapshot &snapshot);
  bool isAligned(const Life &before, ProgramPoint pointBefore, const Life &after,
                 ProgramPoint pointAfter) const;

  Lives livesBefore_;
  Lives livesAfter_;
  // By program of `before`, then by point: the point of the paired program; -1: no partner.
  struct Alignment {
    size_t after = 0; // the paired program
    std::vector<ProgramPoint> points;
  };
  std::vector<Alignment> alignments_;
};

} // namespace tilescope
