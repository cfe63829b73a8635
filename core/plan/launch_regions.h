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

#include "core/access/arena_plan.h"

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

} // namespace tilescope
