// Run alone: unit_tests --gtest_filter='IrWords*'
#include "core/views/ir_words.h"
#include "core/views/placement_words.h"

#include <gtest/gtest.h>

using namespace tilescope;

TEST(IrWordsTest, WordsOfTheIrExplainThemselves) {
  for (const char *word : {"schedule", "fragment(4@t32 2@r1)", "swizzle(128)"})
    EXPECT_FALSE(meaningOfWord(word).empty()) << word;
  EXPECT_TRUE(meaningOfWord("A_shared").empty());
  EXPECT_EQ(tooltipOf({"f", "A_local", 0, ""}), "f/A_local");
  EXPECT_NE(tooltipOf({"f", "A_local", 1, ""}).find("earlier buffer"), std::string::npos);
}

TEST(IrWordsTest, RegistersAreNoMemory) {
  EXPECT_EQ(memoryText("local"), "registers (local)");
  EXPECT_EQ(memoryText("shared.dyn"), "shared.dyn memory");
}
