// What a kernel stores as bits and reads as numbers comes back as it was, NaNs too.
#include "core/exec/numbers.h"
#include "core/exec/tensor.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tilescope {
namespace {

// As a register holds it, and as memory does.
void expectSameBits(DType dtype, uint64_t bits) {
  double value = decodeFloat(dtype, bits);
  Tensor tensor(dtype, {1});
  tensor.set(0, Number{.f = value});
  ASSERT_EQ(encodeFloat(dtype, value), bits) << dtype.name();
  ASSERT_EQ(encodeFloat(dtype, tensor.get(0).f), bits) << dtype.name();
}

TEST(NanBitsTest, NarrowFormatsKeepAllPatterns) {
  for (const char *name : {"float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"}) {
    DType dtype = *parseDType(name);
    for (uint64_t bits = 0; bits < uint64_t{1} << dtype.bits; ++bits)
      expectSameBits(dtype, bits);
  }
}

TEST(NanBitsTest, QuietAndSignallingOf32Bits) {
  for (uint64_t bits : {0x7fc00000U, 0x7f800001U, 0xffbfffffU, 0xff812345U, 0x7fffffffU}) {
    EXPECT_TRUE(std::isnan(decodeFloat(DType::float32(), bits)));
    expectSameBits(DType::float32(), bits);
  }
}

// What other formats have in the same place means nothing.
TEST(NanBitsTest, NanOfAnotherFormatIsTheUsualOne) {
  for (uint64_t bits : {0xff878d2cU, 0x7fc70012U})
    EXPECT_EQ(encodeFloat(*parseDType("float8_e4m3fn"), decodeFloat(DType::float32(), bits)) & 0x7f,
              0x7fU);
  double value = decodeFloat(DType::float16(), 0x7c01);
  EXPECT_EQ(encodeFloat(DType::bfloat16(), value), 0x7fffU);
  EXPECT_EQ(encodeFloat(DType::bfloat16(), std::nan("")), 0x7fffU);
}

} // namespace
} // namespace tilescope
