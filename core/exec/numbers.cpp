#include "core/exec/numbers.h"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace tilescope {

namespace {

// A small binary format: sign, exponent, mantissa.
struct Format {
  int exponentBits;
  int mantissaBits;
  bool hasInfinity; // else the largest exponent holds numbers; in fp8 all ones is NaN
  bool saturates;
};

Format formatOf(DType dtype) {
  switch (dtype.kind) {
  case DTypeKind::BFloat:
    return {8, 7, true, false};
  case DTypeKind::Float8E4M3:
    return {4, 3, false, true};
  case DTypeKind::Float8E5M2:
    return {5, 2, true, true};
  case DTypeKind::Float4E2M1:
    return {2, 1, false, true};
  default:
    return {5, 10, true, false};
  }
}

bool isSmall(DType dtype) { return dtype.isFloat() && dtype.bits <= 16; }

double largestOf(DType dtype, const Format &format) {
  int bias = (1 << (format.exponentBits - 1)) - 1;
  if (dtype.kind == DTypeKind::Float4E2M1)
    return 6;
  if (dtype.kind == DTypeKind::Float8E4M3)
    return 448;
  return std::ldexp(2 - std::ldexp(1, -format.mantissaBits), bias);
}

double roundToSmall(DType dtype, double value) {
  Format format = formatOf(dtype);
  double largest = largestOf(dtype, format);
  // cvt.rn.satfinite.e2m1x2 (PTX ISA): NaN of either sign becomes the largest positive value.
  if (std::isnan(value) && dtype.kind == DTypeKind::Float4E2M1)
    return largest;
  if (std::isnan(value))
    return std::copysign(std::numeric_limits<double>::quiet_NaN(), value);
  if (value == 0)
    return value;
  int bias = (1 << (format.exponentBits - 1)) - 1;
  double magnitude = std::fabs(value);
  double rounded = magnitude;
  if (!std::isinf(value)) {
    // Below the smallest normal number the spacing stays the same.
    int exponent = std::max(std::ilogb(magnitude), 1 - bias);
    double unit = std::ldexp(1, exponent - format.mantissaBits);
    rounded = std::nearbyint(magnitude / unit) * unit;
  }
  if (rounded > largest)
    rounded = format.saturates ? largest : std::numeric_limits<double>::infinity();
  return std::copysign(rounded, value);
}

// The two formats that most tensors have, by bits where the number is normal and exactly a float.
struct FastFormat {
  uint32_t droppedBits;  // of a float's mantissa
  uint32_t firstNormal;  // bits of the smallest float that the fast way takes
  uint32_t exponentBias; // of float, less that of the format
};

std::optional<FastFormat> fastFormatOf(DType dtype) {
  if (dtype == DType::float16())
    return FastFormat{13, 0x38800000, 112};
  if (dtype == DType::bfloat16())
    return FastFormat{16, 0x00800000, 0};
  return std::nullopt;
}

// Rounded bits of |value| as a float, ties to even; nothing where the slow way has to look.
std::optional<uint32_t> roundFast(const FastFormat &format, DType dtype, double value) {
  auto single = static_cast<float>(value);
  uint32_t magnitude = std::bit_cast<uint32_t>(single) & 0x7fffffffU;
  if (static_cast<double>(single) != value || magnitude < format.firstNormal ||
      magnitude >= 0x7f000000U)
    return std::nullopt;
  uint32_t half = (1U << (format.droppedBits - 1)) - 1;
  uint32_t rounded = magnitude + half + (magnitude >> format.droppedBits & 1);
  rounded &= ~((1U << format.droppedBits) - 1);
  // From 65536 on fp16 is infinite.
  if (dtype == DType::float16() && rounded >= 0x47800000U)
    return std::nullopt;
  return rounded;
}

// A NaN of a small format says which of its bits it has, in the part of a quiet NaN that is left of
// it as a float, too: what a kernel stores as bits and reads as a number comes back as it was.
double nanOf(DType dtype, uint64_t bits) {
  uint32_t tag = static_cast<uint32_t>(dtype.kind) + 1;
  auto sign = static_cast<uint32_t>(bits >> (dtype.bits - 1) & 1);
  return widened(std::bit_cast<float>(sign << 31 | 0x7fc00000U | tag << 16 |
                                      static_cast<uint32_t>(bits & 0xffffU)));
}

// Nullopt: one that was computed, or of another format.
std::optional<uint64_t> bitsOfNan(DType dtype, double value) {
  auto bits = std::bit_cast<uint32_t>(narrowed(value));
  uint64_t signBit = uint64_t{1} << (dtype.bits - 1);
  uint64_t magnitude = bits & (signBit - 1);
  Format format = formatOf(dtype);
  uint64_t mantissa = (uint64_t{1} << format.mantissaBits) - 1;
  // The last that is no NaN: infinity, or the largest number.
  uint64_t last = signBit - 1 - (format.hasInfinity ? mantissa : 1);
  if (dtype.bits < 8 || (bits >> 16 & 0x7fU) != static_cast<uint32_t>(dtype.kind) + 0x41 ||
      magnitude <= last)
    return std::nullopt;
  return magnitude | (bits >> 31 ? signBit : 0);
}

} // namespace

double roundTo(DType dtype, double value) {
  if (dtype.bits == 64)
    return value;
  if (!isSmall(dtype))
    return static_cast<float>(value);
  if (std::optional<FastFormat> format = fastFormatOf(dtype))
    if (std::optional<uint32_t> rounded = roundFast(*format, dtype, value))
      return std::copysign(std::bit_cast<float>(*rounded), static_cast<float>(value));
  return roundToSmall(dtype, value);
}

int64_t wrapTo(DType dtype, int64_t value) {
  if (dtype.isBool())
    return value != 0;
  if (dtype.bits >= 64)
    return value;
  uint64_t kept = static_cast<uint64_t>(value) & ((uint64_t{1} << dtype.bits) - 1);
  bool negative = !dtype.isUnsigned() && (kept >> (dtype.bits - 1) & 1);
  return static_cast<int64_t>(negative ? kept | ~uint64_t{0} << dtype.bits : kept);
}

double roundInteger(DType from, DType to, int64_t value) {
  bool isNegative = value < 0 && (!from.isUnsigned() || from.bits != 64);
  auto magnitude = static_cast<uint64_t>(value);
  if (isNegative)
    magnitude = -magnitude;
  // A double holds 53 bits. What does not fit makes the last of them odd: narrower types then see
  // that it is no tie.
  constexpr uint64_t Cut = (uint64_t{1} << 11) - 1;
  if (to.bits < 64 && magnitude >> 53)
    magnitude = (magnitude & ~Cut) | ((magnitude & Cut) != 0 ? Cut + 1 : 0);
  auto rounded = static_cast<double>(magnitude);
  return roundTo(to, isNegative ? -rounded : rounded);
}

int64_t truncateTo(DType from, DType to, double value) {
  if (to.isBool())
    return value != 0;
  // Narrow types wrap what a wider one holds.
  DType through = to;
  if (to.bits < 32)
    through = DType::int32();
  else if (to.isUnsigned() && to.bits == 32)
    through = DType::int64();
  // cvt.rzi (PTX ISA): NaN gives 0, but the highest bit alone where 64 bits take part; what is too
  // large gives the end of the range.
  uint64_t highestBit = uint64_t{1} << (through.bits - 1);
  if (std::isnan(value))
    return from.bits == 64 || through.bits == 64 ? wrapTo(to, static_cast<int64_t>(highestBit)) : 0;
  double limit = std::ldexp(1, through.bits - (through.isUnsigned() ? 0 : 1));
  if (through.isUnsigned())
    return static_cast<int64_t>(value >= limit  ? ~uint64_t{0}
                                : value <= -1.0 ? 0
                                                : static_cast<uint64_t>(value));
  if (value >= limit)
    return wrapTo(to, static_cast<int64_t>(highestBit - 1));
  return wrapTo(to, static_cast<int64_t>(std::fmax(value, -limit)));
}

double roundToStored(DType dtype, double value) {
  bool isKept = isSmall(dtype) && ((formatOf(dtype).hasInfinity && std::isinf(value)) ||
                                   (std::isnan(value) && bitsOfNan(dtype, value)));
  return isKept ? value : roundTo(dtype, value);
}

float truncateToTf32(float value) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) & 0xffffe000U);
}

float narrowed(double value) {
  if (!std::isnan(value))
    return static_cast<float>(value);
  auto bits = std::bit_cast<uint64_t>(value);
  uint64_t mantissa = bits >> 29 & 0x7fffffU;
  return std::bit_cast<float>(
      static_cast<uint32_t>((bits >> 63) << 31 | 0x7f800000U | (mantissa ? mantissa : 0x400000U)));
}

double widened(float value) {
  if (!std::isnan(value))
    return value;
  uint64_t bits = std::bit_cast<uint32_t>(value);
  return std::bit_cast<double>((bits >> 31) << 63 | uint64_t{0x7ff} << 52 |
                               (bits & 0x7fffffU) << 29);
}

uint64_t encodeFloat(DType dtype, double value) {
  if (dtype.bits == 64)
    return std::bit_cast<uint64_t>(value);
  if (!isSmall(dtype))
    return std::bit_cast<uint32_t>(narrowed(value));
  if (std::isnan(value))
    if (std::optional<uint64_t> bits = bitsOfNan(dtype, value))
      return *bits;
  if (std::optional<FastFormat> fast = fastFormatOf(dtype))
    if (std::optional<uint32_t> rounded = roundFast(*fast, dtype, value))
      return (std::signbit(value) ? 0x8000U : 0U) |
             ((*rounded - (fast->exponentBias << 23)) >> fast->droppedBits);
  Format format = formatOf(dtype);
  int bias = (1 << (format.exponentBits - 1)) - 1;
  uint64_t exponentMask = (uint64_t{1} << format.exponentBits) - 1;
  double rounded = std::isinf(value) && format.hasInfinity ? value : roundToSmall(dtype, value);
  uint64_t sign = std::signbit(rounded) ? uint64_t{1} << (dtype.bits - 1) : 0;
  rounded = std::fabs(rounded);
  if (std::isnan(rounded))
    return sign | exponentMask << format.mantissaBits | ((uint64_t{1} << format.mantissaBits) - 1);
  if (std::isinf(rounded))
    return sign | exponentMask << format.mantissaBits;
  if (rounded == 0)
    return sign;
  int exponent = std::max(std::ilogb(rounded), 1 - bias);
  auto mantissa = static_cast<uint64_t>(std::ldexp(rounded, format.mantissaBits - exponent));
  // A normal number has its leading bit at `mantissaBits`, which adds one to the exponent field.
  return sign | ((static_cast<uint64_t>(exponent + bias - 1) << format.mantissaBits) + mantissa);
}

double decodeFloat(DType dtype, uint64_t bits) {
  if (dtype.bits == 64)
    return std::bit_cast<double>(bits);
  if (!isSmall(dtype))
    return widened(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  if (dtype == DType::bfloat16()) {
    auto value = std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
    return std::isnan(value) ? nanOf(dtype, bits) : value;
  }
  Format format = formatOf(dtype);
  int bias = (1 << (format.exponentBits - 1)) - 1;
  bool negative = bits >> (dtype.bits - 1) & 1;
  uint64_t exponentMask = (uint64_t{1} << format.exponentBits) - 1;
  uint64_t exponent = bits >> format.mantissaBits & exponentMask;
  uint64_t mantissa = bits & ((uint64_t{1} << format.mantissaBits) - 1);
  double value = 0;
  bool isSpecial = format.hasInfinity && exponent == exponentMask;
  if (dtype == DType::float16() && exponent != 0 && exponent != exponentMask)
    return std::bit_cast<float>(
        static_cast<uint32_t>((bits & 0x8000U) << 16 | (exponent + 112) << 23 | mantissa << 13));
  bool isNan = dtype.kind == DTypeKind::Float8E4M3 && exponent == exponentMask && mantissa == 7;
  if (isNan || (isSpecial && mantissa != 0))
    return nanOf(dtype, bits);
  if (isSpecial)
    value = std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(static_cast<double>(mantissa), 1 - bias - format.mantissaBits);
  else
    value = std::ldexp(static_cast<double>(mantissa | uint64_t{1} << format.mantissaBits),
                       static_cast<int>(exponent) - bias - format.mantissaBits);
  return negative ? -value : value;
}

} // namespace tilescope
