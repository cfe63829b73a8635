// Lifetimes of shared buffers over the program points of one AccessProgram.
#pragma once

#include "core/access/access_program.h"

namespace tilescope {

struct LiveInterval {
  ProgramPoint begin = 0; // half-open: [begin, end)
  ProgramPoint end = 0;

  friend bool operator==(const LiveInterval &, const LiveInterval &) = default;
};

struct BufferLifetime {
  BufferId buffer;
  // Sorted, disjoint, not adjacent. Empty: the buffer is never written.
  std::vector<LiveInterval> intervals;
  // Points of its definitions and uses, sorted.
  std::vector<ProgramPoint> defs;
  std::vector<ProgramPoint> uses;
  // From issue to the wait that covers it, per asynchronous write.
  std::vector<LiveInterval> inFlight;

  friend bool operator==(const BufferLifetime &, const BufferLifetime &) = default;
};

struct Lifetimes {
  std::vector<BufferLifetime> buffers; // in the order of AccessProgram::buffers
  ProgramPoint pointCount = 0;

  friend bool operator==(const Lifetimes &, const Lifetimes &) = default;
};

// A buffer occupies its bytes at point p if a definition reaches p and some path from p reaches a
// read without a full redefinition, or if p lies inside one of its writes (an asynchronous write
// lasts from its issue to the wait that covers it). All slots of a buffer lie in one block, so it
// occupies that block while any of its slots is occupied.
//
//   Q  |#############|          [0, 5): its last read is in the loop
//   K  | ############|          read in iteration k, refilled in flight over the back edge
//   O  |             |###       [5, 7): may take the bytes of Q or K
//       0   loop     5   7
//
// What threads touch under a condition that they disagree on is touched there in any order: these
// buffers are all occupied from its evaluation to the end of the last side, unless some wait for
// others there.
//
// Slots are followed by iteration (`FlowGraph`); where a loop is too large for that, a slot chosen
// by its variable counts as all slots that it touches.
Lifetimes computeLifetimes(const AccessProgram &program);

} // namespace tilescope
