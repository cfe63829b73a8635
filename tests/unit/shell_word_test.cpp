// Run alone: unit_tests --gtest_filter='ShellWord*'
#include "core/support/shell_word.h"

#include <gtest/gtest.h>

using namespace tilescope;

TEST(ShellWordTest, QuotesStandWhereTheyAreNeeded) {
  EXPECT_EQ(shellWord("gemm.py:matmul"), "gemm.py:matmul");
  EXPECT_EQ(shellWord("M=1024"), "M=1024");
  EXPECT_EQ(shellWord("simplify#2"), "'simplify#2'");
  EXPECT_EQ(shellWord("a b"), "'a b'");
  EXPECT_EQ(shellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(shellWord(""), "''");
}
