#include "core/exec/mma_product.h"

namespace tilescope {

MmaPlace placeOfA(int64_t lane, int64_t element, int64_t packed) {
  int64_t reg = element / packed;
  return {lane / 4 + 8 * (reg % 2), lane % 4 * packed + 4 * packed * (reg / 2) + element % packed};
}

MmaPlace placeOfB(int64_t lane, int64_t element, int64_t packed) {
  int64_t reg = element / packed;
  return {lane % 4 * packed + 4 * packed * reg + element % packed, lane / 4};
}

MmaPlace placeOfC(int64_t lane, int64_t element) {
  return {lane / 4 + 8 * (element / 2), 2 * (lane % 4) + element % 2};
}

MetadataPlace placeOfMetadata(int64_t row, int64_t group, int64_t bits, int64_t selector) {
  int64_t first = row % 8 * 4;
  if (bits == 8)
    return {static_cast<uint32_t>(first + row / 8 + group / 8 * 2), group % 8 * 4};
  return {static_cast<uint32_t>(first + 2 * selector + group / 4), row / 8 * 16 + group % 4 * 4};
}

int64_t columnKept(int64_t metadata, int64_t kept, int64_t bits) {
  return bits == 32 ? metadata >> 1 & 1 : metadata >> (2 * kept) & 3;
}

} // namespace tilescope
