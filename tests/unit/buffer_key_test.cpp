// Run alone: unit_tests --gtest_filter='BufferKey*'
#include "core/support/buffer_key.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

TEST(BufferKeyTest, TextTellsKeysApart) {
  EXPECT_EQ(toString(BufferKey{"matmul", "A_shared", 0, ""}), "matmul/A_shared");
  EXPECT_EQ(toString(BufferKey{"matmul", "A_shared", 1, ""}), "matmul/A_shared#1");
  EXPECT_EQ(toString(BufferKey{"matmul", "A_shared", 1, "workspace"}),
            "matmul/A_shared#1@workspace");
}

// Pictures of today and of next year must agree, so the figures are part of the interface.
TEST(BufferKeyTest, HueIsFixedAndIgnoresTheFunction) {
  EXPECT_EQ(hueDegrees({"matmul", "A_shared", 0, ""}), 244);
  EXPECT_EQ(hueDegrees({"matmul_kernel", "A_shared", 0, ""}), 244);
  EXPECT_EQ(hueDegrees({"matmul", "B_shared", 0, ""}), 30);
  EXPECT_NE(hueDegrees({"matmul", "A_shared", 1, ""}), 244);
}

TEST(BufferKeyTest, HueIsNeverRedOrGreen) {
  for (int64_t ordinal = 0; ordinal != 1000; ++ordinal) {
    int hue = hueDegrees({"f", "b", ordinal, ""});
    EXPECT_TRUE((hue > 20 && hue < 70) || (hue > 165 && hue < 335)) << hue;
  }
}

} // namespace
