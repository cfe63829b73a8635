// What keeps the accesses of two buffers apart that share bytes.
//
//     loop k:  -- barrier --  read A[k mod 3]         the last iteration reads slot 1: slot 0 was
//     write B                                         read before it, and before its barrier
//
// So B, over slot 0 alone, needs no barrier of its own.
#pragma once

#include "core/access/access_program.h"
#include "core/access/buffer_bytes.h"

#include <optional>
#include <vector>

namespace tilescope {

struct WhyOrder {
  std::vector<int64_t> slots; // of the earlier buffer: those whose bytes the later one takes
  bool areAll = true;         // all that it has
  // Times that a loop has begun again, at least, between the last access of these slots and the
  // first of the later buffer.
  int64_t iterations = 0;
  std::vector<ProgramPoint> barriers; // the last on each way between; ascending
};

// Nothing if threads may get from one to the other with no barrier on the way.
std::optional<WhyOrder> whyOrder(const AccessProgram &program, const BufferBytes &earlier,
                                 const BufferBytes &later);

} // namespace tilescope
