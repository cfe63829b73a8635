// Shared buffers whose size is known only at launch. Which of two is larger is not known either, so
// they get no offsets but regions, one on top of the other above all that is planned in bytes; the
// buffers of a region begin at its first byte, and the largest of them is its size:
//
//     | planned: 1,024 | region 0: max(values, scratch)      | region 1: weights |
//       [0, 1024)        values  |#########|                   |#####|
//                        scratch |##############|
//
// Two buffers of one region never live at the same time, so every byte has one owner whatever the
// sizes turn out to be. Each buffer takes the lowest region that is free for it, in allocation
// order. One with versions keeps a region for itself: its versions are told apart by their stride
// alone, which is not known.
#pragma once

#include "core/plan/arena_check.h"
#include "core/plan/plan.h"

namespace tilescope {

struct LaunchSizedBuffer {
  BufferId id;
  std::string name;
  int64_t versions = 1;
  int64_t region = 0;
  std::vector<LiveInterval> live; // sorted, disjoint

  friend bool operator==(const LaunchSizedBuffer &, const LaunchSizedBuffer &) = default;
};

// Sets the regions. Linear in buffers times members of a region.
void planLaunchRegions(std::vector<LaunchSizedBuffer> &buffers);

// What the checkers take instead of unknown bytes: one byte a version, beyond every offset that
// the verifier admits; the same bytes for the buffers of one region.
BufferBytes standInBytes(BufferId buffer, int64_t region);

} // namespace tilescope
