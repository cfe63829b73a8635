// Run alone: unit_tests --gtest_filter='TextQuery*'
#include "core/support/text_query.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

using Spans = std::vector<TextSpan>;

TEST(TextQueryTest, CaseCountsIfThereIsACapital) {
  EXPECT_EQ(TextQuery("shared").find("K_Shared, shared"), (Spans{{2, 8}, {10, 16}}));
  EXPECT_EQ(TextQuery("Shared").find("K_Shared, shared"), (Spans{{2, 8}}));
}

TEST(TextQueryTest, HitsDoNotOverlap) {
  EXPECT_EQ(TextQuery("aa").find("aaaaa"), (Spans{{0, 2}, {2, 4}}));
  EXPECT_EQ(TextQuery("aa").count("aaaaa"), 2U);
}

TEST(TextQueryTest, SlashesMakeARegularExpression) {
  EXPECT_EQ(TextQuery("/k_[a-z]+/").find("K_shared[0], k_2"), (Spans{{0, 8}}));
  EXPECT_EQ(TextQuery("/^a/").find("aa"), (Spans{{0, 1}}));
  EXPECT_EQ(TextQuery("/b*/").find("abc").size(), 0U); // its first match is empty
  EXPECT_EQ(TextQuery("//").find("a // b"), (Spans{{2, 4}}));
}

TEST(TextQueryTest, WhatCannotBeSearchedForSaysSo) {
  EXPECT_NE(TextQuery("/(/").error(), "");
  EXPECT_TRUE(TextQuery("/(/").find("(").empty());
  EXPECT_NE(TextQuery("").error(), "");
  EXPECT_TRUE(TextQuery("").find("a").empty());
  EXPECT_EQ(TextQuery("longer than the line").find("a"), Spans());
}

} // namespace
