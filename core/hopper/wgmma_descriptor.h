// The descriptor of an operand of wgmma in shared memory, and which byte an MMA reads for an
// element (PTX ISA, "Asynchronous warpgroup-level matrix: shared memory matrix layout, matrix
// descriptor").
//
// `mn` counts rows of A or columns of B. An operand is K-major if elements along K lie side by
// side, MN-major if those along M or N do; that is for elements of 16 bits only. A tile that is
// laid out as Layout::Swizzle (core/ir/layout.h), or that boxes of TMA as wide as the span filled
// one after the other, has the descriptors that `wgmmaTileDescriptor` makes.
#pragma once

#include "core/hopper/swizzle.h"

#include <cstdint>
#include <optional>

namespace tilescope {

enum class OperandMajor : uint8_t { K, MN };

struct WgmmaDescriptor {
  int64_t start = 0; // address in shared memory, of 18 bits; these are multiples of 16 bytes
  // K-major, not swizzled: from the first 8 rows by 16 bytes to those that follow along K; swizzled
  // it means nothing. MN-major: from one panel, a span wide, to the next along M or N; not swizzled
  // it is the way from 8 of K to the next 8.
  int64_t leading = 0;
  // K-major: from 8 of M or N to the next 8. MN-major: from 8 of K to the next 8; not swizzled it
  // is the way from 16 bytes of M or N to the next.
  int64_t stride = 0;
  Swizzle swizzle = Swizzle::None;

  friend bool operator==(const WgmmaDescriptor &, const WgmmaDescriptor &) = default;
};

// A multiple of 16 bytes that the fields can hold.
bool fitsWgmmaDescriptor(int64_t bytes);

// The 64 bits. The swizzle's pattern must start at a multiple of its bytes: the base offset is 0.
uint64_t encodeWgmmaDescriptor(const WgmmaDescriptor &descriptor);
// Nothing if a field is set that `WgmmaDescriptor` has no place for.
std::optional<WgmmaDescriptor> decodeWgmmaDescriptor(uint64_t bits);

// The address that an MMA reads for element (mn, k) of its operand, k < 32 / elementBytes.
int64_t wgmmaElementAddress(const WgmmaDescriptor &descriptor, OperandMajor major, int elementBytes,
                            int64_t mn, int64_t k);

// A swizzled tile in panels, each as wide as the span: `rows` rows of it are M or N if K-major, K
// if MN-major. A multiple of 8.
struct WgmmaTile {
  OperandMajor major = OperandMajor::K;
  Swizzle swizzle = Swizzle::Bytes128;
  int elementBytes = 2;
  int64_t rows = 0;
};

// Of a tile that starts at an address.
WgmmaDescriptor wgmmaTileDescriptor(const WgmmaTile &tile, int64_t start);

// How much further the operand of an MMA starts whose first element is (mn, k) of the tile; it has
// the tile's descriptor otherwise. Of K-major tiles mn is a multiple of 8 and k one of what 32
// bytes hold, of MN-major ones mn is a multiple of what a span holds and k one of 8.
int64_t wgmmaTileOffset(const WgmmaTile &tile, int64_t mn, int64_t k);

} // namespace tilescope
