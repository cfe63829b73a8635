#include "core/exec/alignment.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

// From the start of the tensor or of shared memory on; nothing: outside.
static std::optional<int64_t> bitOf(ThreadGroup &group, const ElementPlace &place) {
  const Buffer &buffer = place.buffer;
  if (isShared(buffer.scope)) {
    std::optional<size_t> bit =
        group.block().shared.bitOf(buffer.id, place.slot, place.coordinates);
    return bit ? std::optional(static_cast<int64_t>(*bit)) : std::nullopt;
  }
  int64_t at = group.block().launch.global.memory.tensors.at(buffer.id).indexOf(place.coordinates);
  if (at < 0)
    return std::nullopt;
  if (!buffer.strides.empty()) {
    at = 0;
    for (auto [stride, coordinate] : llvm::zip_equal(buffer.strides, place.coordinates))
      at += group.evaluate(stride, group.all()).front().i * coordinate;
  }
  return at * buffer.dtype.bits;
}

void findMisaligned(ThreadGroup &group, const LaneRegion &region, Lanes lanes, int64_t bytes) {
  const Buffer &buffer = *region.buffer;
  if (!isMemory(buffer.scope))
    return;
  int64_t bits = 8 * std::min<int64_t>(bytes, 16);
  for (uint32_t lane : lanes) {
    ElementPlace place = group.placeOf(region, lane, 0);
    std::optional<int64_t> bit = bitOf(group, place);
    if (bit && *bit % bits != 0)
      group.find(FindingKind::Misaligned, lane, buffer.name, indexText(place.coordinates));
  }
}

} // namespace tilescope
