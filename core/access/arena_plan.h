// The arena problem, its plan, and what the plan proves. Plain values: no IR.
//
// Bytes are counted from the start of the dynamic shared memory of one block.
#pragma once

#include "core/access/lifetimes.h"

#include <string>
#include <vector>

namespace tilescope {

struct ArenaBuffer {
  BufferId id;
  std::string name;
  int64_t sizeBytes = 0; // all versions: versions * strideBytes
  int64_t alignmentBytes = 16;
  int64_t versions = 1; // rigid: version v lies at offset + v * strideBytes
  int64_t strideBytes = 0;
  std::vector<LiveInterval> live; // sorted, disjoint; two buffers conflict where they intersect
  std::optional<int64_t> pinnedOffset;

  friend bool operator==(const ArenaBuffer &, const ArenaBuffer &) = default;
};

struct ArenaProblem {
  std::vector<ArenaBuffer> buffers;
  int64_t capacityBytes = 0; // 0: unlimited

  friend bool operator==(const ArenaProblem &, const ArenaProblem &) = default;
};

enum class PlacementReason : uint8_t {
  OnlyBuffer,  // nothing else is live with it
  LowestFree,  // lowest offset above the buffers in `below`
  ReusesBytes, // takes bytes of buffers that are dead: `sharesWith`
  Pinned,
};

struct Placement {
  BufferId id;
  int64_t offsetBytes = 0;
  int64_t sizeBytes = 0;
  int64_t paddingBytes = 0; // lost below this buffer to its alignment
  PlacementReason reason = PlacementReason::LowestFree;
  std::vector<BufferId> below; // live together with it and directly under it: they fix its offset
  std::vector<BufferId> sharesWith; // overlap in bytes, never in time

  friend bool operator==(const Placement &, const Placement &) = default;
};

enum class ProofKind : uint8_t {
  LiveAtPoint, // the buffers live at `point` alone need `boundBytes`
  Exhausted,   // the search found nothing lower
  Gap,         // not proven: the least height lies in [boundBytes, heightBytes]
};

// Of the least height.
struct Certificate {
  ProofKind kind = ProofKind::Gap;
  int64_t boundBytes = 0;
  ProgramPoint point = 0;        // LiveAtPoint
  std::vector<BufferId> liveSet; // LiveAtPoint: who is live there
  int64_t searchNodes = 0;

  friend bool operator==(const Certificate &, const Certificate &) = default;
};

struct ArenaPlan {
  std::vector<Placement> placements; // in the order of the problem's buffers
  // End of the highest buffer, rounded up to the greatest common divisor of the alignments; the
  // bound of the certificate is counted in the same way.
  int64_t heightBytes = 0;
  Certificate certificate;

  const Placement *find(BufferId id) const {
    for (const Placement &placement : placements)
      if (placement.id == id)
        return &placement;
    return nullptr;
  }

  // Proven; a plan may lie above the least height on purpose (plan_objective.h).
  bool isLeast() const {
    return certificate.kind != ProofKind::Gap && heightBytes <= certificate.boundBytes;
  }

  friend bool operator==(const ArenaPlan &, const ArenaPlan &) = default;
};

// What scripts read.
inline const char *proofWord(const ArenaPlan &plan) { return plan.isLeast() ? "optimal" : "gap"; }

} // namespace tilescope
