#include "core/hopper/wgmma_descriptor.h"

#include <cassert>

namespace tilescope {

namespace {

constexpr int64_t CoreRows = 8;
constexpr int64_t ChunkBytes = 16;
constexpr unsigned LeadingBit = 16, StrideBit = 32, SwizzleBit = 62;
constexpr uint64_t FieldMask = (uint64_t{1} << 14) - 1; // of each in units of 16 bytes

// The descriptor numbers them the other way round than a tensor map.
uint64_t codeOf(Swizzle swizzle) { return (4 - static_cast<uint64_t>(swizzle)) % 4; }

uint64_t field(int64_t bytes, unsigned bit) {
  assert(fitsWgmmaDescriptor(bytes));
  return static_cast<uint64_t>(bytes / ChunkBytes) << bit;
}

int64_t fieldBytes(uint64_t bits, unsigned bit) {
  return static_cast<int64_t>(bits >> bit & FieldMask) * ChunkBytes;
}

} // namespace

bool fitsWgmmaDescriptor(int64_t bytes) {
  return bytes >= 0 && bytes % ChunkBytes == 0 &&
         bytes / ChunkBytes <= static_cast<int64_t>(FieldMask);
}

uint64_t encodeWgmmaDescriptor(const WgmmaDescriptor &descriptor) {
  return field(descriptor.start, 0) | field(descriptor.leading, LeadingBit) |
         field(descriptor.stride, StrideBit) | codeOf(descriptor.swizzle) << SwizzleBit;
}

std::optional<WgmmaDescriptor> decodeWgmmaDescriptor(uint64_t bits) {
  WgmmaDescriptor descriptor{fieldBytes(bits, 0), fieldBytes(bits, LeadingBit),
                             fieldBytes(bits, StrideBit),
                             static_cast<Swizzle>((4 - (bits >> SwizzleBit)) % 4)};
  if (encodeWgmmaDescriptor(descriptor) != bits)
    return std::nullopt;
  return descriptor;
}

int64_t wgmmaElementAddress(const WgmmaDescriptor &descriptor, OperandMajor major, int elementBytes,
                            int64_t mn, int64_t k) {
  int64_t span = spanOf(descriptor.swizzle);
  bool isSwizzled = descriptor.swizzle != Swizzle::None;
  int64_t offset = 0;
  if (major == OperandMajor::K) {
    int64_t byte = k * elementBytes;
    offset = mn % CoreRows * span + mn / CoreRows * descriptor.stride;
    offset += isSwizzled ? byte : byte % ChunkBytes + byte / ChunkBytes * descriptor.leading;
  } else {
    int64_t byte = mn * elementBytes;
    int64_t alongMN = isSwizzled ? descriptor.leading : descriptor.stride;
    int64_t alongK = isSwizzled ? descriptor.stride : descriptor.leading;
    offset = byte % span + byte / span * alongMN + k % CoreRows * span + k / CoreRows * alongK;
  }
  auto address = static_cast<uint64_t>(descriptor.start + offset);
  return static_cast<int64_t>(swizzledAddress(address, descriptor.swizzle));
}

WgmmaDescriptor wgmmaTileDescriptor(const WgmmaTile &tile, int64_t start) {
  int64_t span = spanOf(tile.swizzle);
  int64_t leading = tile.major == OperandMajor::K ? ChunkBytes : tile.rows * span;
  return {start, leading, CoreRows * span, tile.swizzle};
}

int64_t wgmmaTileOffset(const WgmmaTile &tile, int64_t mn, int64_t k) {
  int64_t span = spanOf(tile.swizzle);
  bool isKMajor = tile.major == OperandMajor::K;
  int64_t row = isKMajor ? mn : k;
  int64_t byte = (isKMajor ? k : mn) * tile.elementBytes;
  return byte / span * tile.rows * span + row * span + byte % span;
}

} // namespace tilescope
