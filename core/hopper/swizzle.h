// How TMA and wgmma permute shared memory, by absolute addresses (PTX ISA, "Shared Memory Layout
// and Swizzling"): with spans of 32, 64, 128 bytes the bits [4, 4 + b) of an address, which number
// its 16-byte chunk, are exclusive-ored with the bits [7, 7 + b); b = 1, 2, 3.
#pragma once

#include <cstdint>
#include <optional>

namespace tilescope {

enum class Swizzle : uint8_t { None, Bytes32, Bytes64, Bytes128 };

// Bytes of a row; of None 16, one chunk.
int64_t spanOf(Swizzle swizzle);
std::optional<Swizzle> swizzleOfSpan(int64_t spanBytes);

// The pattern repeats after so many bytes, eight rows: where a buffer must start. Of None that is
// what bulk copies ask.
int64_t patternBytes(Swizzle swizzle);

// Where the byte lies that would be at this address without a swizzle. Its own inverse.
uint64_t swizzledAddress(uint64_t address, Swizzle swizzle);

} // namespace tilescope
