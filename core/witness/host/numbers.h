// Element types of emitted kernels on the CPU: half, bfloat16 and the types of eight bits, each of
// which rounds once, to even. Text that the witness compiles together with a kernel.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace witness {

struct Format {
  int exponentBits;
  int mantissaBits;
  unsigned largest;    // code of the largest finite value
  unsigned overflow;   // that a larger one gets
  unsigned notANumber; // that NaN gets
  bool isFull;         // the largest exponent holds numbers; else infinity, the first, and NaN

  constexpr int bits() const { return 1 + exponentBits + mantissaBits; }
  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
};

constexpr Format HalfFormat = {5, 10, 0x7bff, 0x7c00, 0x7fff, false};
constexpr Format BfloatFormat = {8, 7, 0x7f7f, 0x7f80, 0x7fff, false};
constexpr Format E4m3Format = {4, 3, 0x7e, 0x7e, 0x7f, true};
constexpr Format E5m2Format = {5, 2, 0x7b, 0x7b, 0x7f, false};

template <Format F> unsigned encode(double value) {
  if (std::isnan(value))
    return F.notANumber;
  unsigned sign = std::signbit(value) ? 1U << (F.bits() - 1) : 0;
  double magnitude = std::fabs(value);
  // Beyond all formats, and infinity.
  if (magnitude >= 0x1p130)
    return sign | F.overflow;
  // Below the smallest normal number the spacing stays the same.
  int exponent = static_cast<int>(std::bit_cast<uint64_t>(magnitude) >> 52) - 1023;
  exponent = exponent < 1 - F.bias() ? 1 - F.bias() : exponent;
  double spacing =
      std::bit_cast<double>(static_cast<uint64_t>(exponent - F.mantissaBits + 1023) << 52);
  auto steps = static_cast<unsigned>(std::nearbyint(magnitude / spacing));
  // The leading bit of a normal number adds one to the exponent's field, as does a carry.
  unsigned code = (static_cast<unsigned>(exponent + F.bias() - 1) << F.mantissaBits) + steps;
  return sign | (code > F.largest ? F.overflow : code);
}

template <Format F> float decode(unsigned code) {
  unsigned magnitude = code & ((1U << (F.bits() - 1)) - 1);
  unsigned sign = code >> (F.bits() - 1) << 31;
  // The fields of a float with an exponent that is too small; multiplying is exact.
  unsigned fields = magnitude << (23 - F.mantissaBits);
  float value = std::bit_cast<float>(fields) *
                std::bit_cast<float>(static_cast<uint32_t>(127 + 127 - F.bias()) << 23);
  if (F.isFull ? magnitude == F.notANumber : magnitude > F.largest)
    value = !F.isFull && magnitude == F.largest + 1 ? HUGE_VALF : NAN;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) | sign);
}

template <Format F> struct SmallFloat {
  using Code = std::conditional_t<F.bits() == 8, uint8_t, uint16_t>;
  Code __x; // NOLINT: CUDA's name

  // Registers and shared memory start with what is no number.
  constexpr SmallFloat() : __x(static_cast<Code>(~0U)) {}
  template <typename T>
    requires std::is_arithmetic_v<T>
  SmallFloat(T value) : __x(static_cast<Code>(encode<F>(static_cast<double>(value)))) {}
  operator float() const { return decode<F>(__x); }
};

using Half = SmallFloat<HalfFormat>;
using Bfloat16 = SmallFloat<BfloatFormat>;

// As in CUDA there is no arithmetic on eight bits. A float holds sums and products of the others
// with enough bits to be rounded again.
template <Format F>
  requires(F.bits() == 16)
SmallFloat<F> operator+(SmallFloat<F> a, SmallFloat<F> b) {
  return float(a) + float(b);
}
template <Format F>
  requires(F.bits() == 16)
SmallFloat<F> operator-(SmallFloat<F> a, SmallFloat<F> b) {
  return float(a) - float(b);
}
template <Format F>
  requires(F.bits() == 16)
SmallFloat<F> operator*(SmallFloat<F> a, SmallFloat<F> b) {
  return float(a) * float(b);
}
template <Format F>
  requires(F.bits() == 16)
SmallFloat<F> operator/(SmallFloat<F> a, SmallFloat<F> b) {
  return float(a) / float(b);
}
template <Format F>
  requires(F.bits() == 16)
SmallFloat<F> operator-(SmallFloat<F> a) {
  return -float(a);
}
// What the tensor core drops of a float.
inline float withoutTf32Tail(float value) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) & 0xffffe000U);
}

} // namespace witness
