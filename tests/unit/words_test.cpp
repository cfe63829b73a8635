// Run alone: unit_tests --gtest_filter='Words*'
#include "core/views/words.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

std::vector<std::string> texts(llvm::StringRef line, const std::vector<TextSpan> &spans) {
  std::vector<std::string> result;
  result.reserve(spans.size());
  for (TextSpan span : spans)
    result.push_back(textOf(line, span).str());
  return result;
}

using Texts = std::vector<std::string>;

TEST(WordsTest, TokensAreTheLine) {
  EXPECT_EQ(texts("  T.copy(a_1,  2)", tokensOf("  T.copy(a_1,  2)")),
            (Texts{" ", " ", "T", ".", "copy", "(", "a_1", ",", "  ", "2", ")"}));
  EXPECT_TRUE(tokensOf("").empty());
}

TEST(WordsTest, NoCharacterIsTorn) {
  EXPECT_EQ(texts("größe+1", tokensOf("größe+1")), (Texts{"größe", "+", "1"}));
}

TEST(WordsTest, NamesAreNoMembersAndNoNumbers) {
  Texts names;
  llvm::StringRef line = "T.copy(A[2k], B_1)";
  forEachName(line, [&](TextSpan name) { names.push_back(textOf(line, name).str()); });
  EXPECT_EQ(names, (Texts{"T", "A", "B_1"}));
}

TEST(WordsTest, OnlyWhatDiffersIsMarked) {
  llvm::StringRef before = "T.gemm(Q, K[0:128], scores)",
                  after = "T.gemm(Q, K[kb % 2, 0:128], scores)";
  WordDiff diff = diffWords(before, after);
  EXPECT_EQ(texts(before, diff.before), Texts());
  EXPECT_EQ(texts(after, diff.after), (Texts{"kb % 2, "}));
}

TEST(WordsTest, ASeparatorBetweenTwoChangesIsNotKept) {
  llvm::StringRef before = "T.copy(source, a.b)", after = "T.copy(source, c.d)";
  WordDiff diff = diffWords(before, after);
  EXPECT_EQ(texts(before, diff.before), (Texts{"a.b"}));
  EXPECT_EQ(texts(after, diff.after), (Texts{"c.d"}));
}

TEST(WordsTest, IndentationIsComparedBlankByBlank) {
  WordDiff diff = diffWords("  x = 1", "      x = 1");
  EXPECT_TRUE(diff.before.empty());
  ASSERT_EQ(diff.after.size(), 1U);
  EXPECT_EQ(diff.after[0].end - diff.after[0].begin, 4U);
}

TEST(WordsTest, LinesWithLittleInCommonDifferAsAWhole) {
  WordDiff diff = diffWords("  T.fill(total, 0)", "    output[first] = rest");
  EXPECT_EQ(diff.before, (std::vector<TextSpan>{{2, 18}}));
  EXPECT_EQ(diff.after, (std::vector<TextSpan>{{2, 24}}));
}

TEST(WordsTest, EqualLinesDoNotDiffer) {
  WordDiff diff = diffWords("x = 1", "x = 1");
  EXPECT_TRUE(diff.before.empty() && diff.after.empty());
}

} // namespace
