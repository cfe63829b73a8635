#include "core/hopper/swizzle.h"

namespace tilescope {

int64_t spanOf(Swizzle swizzle) { return int64_t{16} << static_cast<unsigned>(swizzle); }

std::optional<Swizzle> swizzleOfSpan(int64_t spanBytes) {
  for (Swizzle swizzle : {Swizzle::Bytes32, Swizzle::Bytes64, Swizzle::Bytes128})
    if (spanOf(swizzle) == spanBytes)
      return swizzle;
  return std::nullopt;
}

int64_t patternBytes(Swizzle swizzle) {
  constexpr int64_t Rows = 8;
  return Rows * spanOf(swizzle);
}

uint64_t swizzledAddress(uint64_t address, Swizzle swizzle) {
  constexpr unsigned ChunkBit = 4, RowBit = 7;
  uint64_t mask = (uint64_t{1} << static_cast<unsigned>(swizzle)) - 1;
  return address ^ ((address >> RowBit & mask) << ChunkBit);
}

} // namespace tilescope
