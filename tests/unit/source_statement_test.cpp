// Run alone: unit_tests --gtest_filter='SourceStatement*'
#include "core/views/source_statement.h"

#include <gtest/gtest.h>

using namespace tilescope;

TEST(SourceStatementTest, GoesOnUntilItsBracketsAreClosed) {
  const llvm::StringRef lines[] = {"T.gemm(Q, K, scores, transpose_B=True,",
                                   "policy=Full)",
                                   "a = 1  # (",
                                   "T.copy(",
                                   "A[0], \")\", B)",
                                   "open("};
  EXPECT_EQ(sourceStatement(lines, 1), "T.gemm(Q, K, scores, transpose_B=True, policy=Full)");
  EXPECT_EQ(sourceStatement(lines, 2), "policy=Full)");
  EXPECT_EQ(sourceStatement(lines, 3), "a = 1  # (");
  EXPECT_EQ(sourceStatement(lines, 4), "T.copy(A[0], \")\", B)");
  EXPECT_EQ(sourceStatement(lines, 6), "open(");
  EXPECT_EQ(sourceStatement(lines, 0), "");
  EXPECT_EQ(sourceStatement(lines, 7), "");
}
