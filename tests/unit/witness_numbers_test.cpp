// The small floats of the witness against those of the executor, which share no code.
#include "core/exec/numbers.h"
#include "core/witness/host/numbers.h"

#include <gtest/gtest.h>

#include <random>

namespace tilescope {

namespace {

template <witness::Format F> double decoded(unsigned code) {
  return static_cast<double>(witness::decode<F>(code));
}

// Bit for bit, but for which NaN it is.
template <witness::Format F> void expectSameCodes(DType dtype) {
  for (unsigned code = 0; code != 1U << F.bits(); ++code) {
    double value = decodeFloat(dtype, code);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(decoded<F>(code))) << code;
      continue;
    }
    EXPECT_EQ(decoded<F>(code), value) << code;
    EXPECT_EQ(std::signbit(decoded<F>(code)), std::signbit(value)) << code;
  }
}

template <witness::Format F> void expectSameRounding(DType dtype, double value) {
  double rounded = roundTo(dtype, value);
  if (std::isnan(rounded))
    EXPECT_TRUE(std::isnan(decoded<F>(witness::encode<F>(value)))) << value;
  else
    EXPECT_EQ(witness::encode<F>(value), encodeFloat(dtype, rounded)) << value;
}

// Values of the format, ties between neighbours, what is next to a tie, and bits at random.
template <witness::Format F> void expectSameRounding(DType dtype) {
  for (unsigned code = 0; code != 1U << F.bits(); ++code) {
    double value = decodeFloat(dtype, code), next = decodeFloat(dtype, code + 1);
    double tie = value + (next - value) / 2;
    for (double each : {value, tie, std::nextafter(tie, 0), std::nextafter(tie, HUGE_VAL)})
      expectSameRounding<F>(dtype, each);
  }
  std::mt19937_64 random(7);
  for (int i = 0; i != 100000; ++i)
    expectSameRounding<F>(dtype, std::bit_cast<double>(random()));
  for (double each : {HUGE_VAL, -HUGE_VAL, 0.0, -0.0, 1e-300, 1e300, std::nan("")})
    expectSameRounding<F>(dtype, each);
}

template <witness::Format F> void expectSame(DType dtype) {
  expectSameCodes<F>(dtype);
  expectSameRounding<F>(dtype);
}

} // namespace

TEST(WitnessNumbers, Half) { expectSame<witness::HalfFormat>(DType::float16()); }
TEST(WitnessNumbers, Bfloat16) { expectSame<witness::BfloatFormat>(DType::bfloat16()); }
TEST(WitnessNumbers, E4m3) { expectSame<witness::E4m3Format>(*parseDType("float8_e4m3")); }
TEST(WitnessNumbers, E5m2) { expectSame<witness::E5m2Format>(*parseDType("float8_e5m2")); }

} // namespace tilescope
