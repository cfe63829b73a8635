// Run alone: unit_tests --gtest_filter='SizeText*'
#include "core/support/size_text.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

TEST(SizeText, ReadsUnitsAndFractions) {
  EXPECT_EQ(parseBytes("512"), 512);
  EXPECT_EQ(parseBytes("512B"), 512);
  EXPECT_EQ(parseBytes("160KiB"), 160 * 1024);
  EXPECT_EQ(parseBytes(" 1.5 KiB "), 1536);
  EXPECT_EQ(parseBytes("2MiB"), 2 << 20);
  EXPECT_EQ(parseBytes("0.5GiB"), 1 << 29);
  EXPECT_EQ(parseBytes("0"), 0);
}

TEST(SizeText, RefusesTheRest) {
  for (const char *text : {"", "B", "KiB", "-1", "+1", "1e3", "nan", ".5KiB", "1KB", "1..5", "1K",
                           "99999999999GiB", "0x10", "1 2"})
    EXPECT_EQ(parseBytes(text), std::nullopt) << text;
}

} // namespace
