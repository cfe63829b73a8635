// Reads that find nothing written, whichever way the program goes.
//
//   Leaf s1: read x                       listed: nothing was written before it
//   Loop s2, trips [0, unknown]
//     Leaf s3: read c, write c            listed: its own write comes after its first read
//     Leaf s4: read c                     s3 has written by then
//   Leaf s5: read c                       after s3, if the loop runs: not certain, so not listed
//
// A write of a part counts as a write: core/analysis/uninitialised_elements.h asks for each
// element, of the IR.
#pragma once

#include "core/access/access_program.h"

namespace tilescope {

struct UninitialisedRead {
  uint32_t node = 0; // the leaf
  BufferId buffer;

  friend bool operator==(const UninitialisedRead &, const UninitialisedRead &) = default;
};

// Leaves, in program order, that read a buffer, and whose first run in any execution that gets to
// them comes before every write of the slots that they read. What concurrent roles write may have
// been written. A leaf that no path leads to is not listed.
std::vector<UninitialisedRead> computeUninitialisedReads(const AccessProgram &program);

} // namespace tilescope
