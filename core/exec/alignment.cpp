#include "core/exec/alignment.h"

#include <algorithm>

namespace tilescope {

void findMisaligned(ThreadGroup &group, const LaneRegion &region, Lanes lanes, int64_t bytes) {
  const Buffer &buffer = *region.buffer;
  if (!isMemory(buffer.scope))
    return;
  int64_t bits = 8 * std::min<int64_t>(bytes, 16);
  for (uint32_t lane : lanes) {
    ThreadGroup::Place place = group.placeOf(region, lane, 0);
    std::optional<int64_t> bit = group.bitOf(place);
    if (bit && *bit % bits != 0)
      group.find(FindingKind::Misaligned, lane, buffer.name, indexText(place.coordinates));
  }
}

} // namespace tilescope
