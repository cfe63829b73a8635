// Run alone: unit_tests --gtest_filter='LineAlignment*'
#include "core/views/line_alignment.h"

#include <gtest/gtest.h>

#include <random>

using namespace tilescope;

namespace {

struct Line {
  std::string text;
  uint32_t stmt = StmtId::None;
};

// "=", "-", "+", "~" and the two positions, and ">" where the line went.
std::vector<std::string> align(const std::vector<Line> &before, const std::vector<Line> &after) {
  Trace trace;
  std::vector<LineId> idsBefore, idsAfter;
  auto idOf = [&](const Line &line) {
    TraceLine wanted{line.text, StmtId(line.stmt), BufferId(), Span()};
    for (LineId id = 0; id != trace.lines.size(); ++id)
      if (trace.lines[id] == wanted)
        return id;
    trace.lines.push_back(wanted);
    return static_cast<LineId>(trace.lines.size() - 1);
  };
  for (const Line &line : before)
    idsBefore.push_back(idOf(line));
  for (const Line &line : after)
    idsAfter.push_back(idOf(line));
  std::vector<std::string> rows;
  for (const AlignedRow &row : alignLines(trace, idsBefore, idsAfter)) {
    std::string text(1, "=-+~"[static_cast<size_t>(row.kind)]);
    for (int32_t position : {row.before, row.after})
      text += position < 0 ? " ." : " " + std::to_string(position);
    rows.push_back(row.moved < 0 ? text : text + " >" + std::to_string(row.moved));
  }
  return rows;
}

using Rows = std::vector<std::string>;

TEST(LineAlignmentTest, AStatementFacesItself) {
  EXPECT_EQ(align({{"T.copy(A, S)", 1}, {"T.gemm(S, B, C)", 2}},
                  {{"T.copy(A, S[0])", 1}, {"T.commit_group()", 7}, {"T.gemm(S[0], B, C)", 2}}),
            (Rows{"~ 0 0", "+ . 1", "~ 1 2"}));
}

TEST(LineAlignmentTest, EqualTextOfAnotherStatementIsTheSame) {
  EXPECT_EQ(align({{"T.barrier()", 1}, {"x = 1", 2}}, {{"T.barrier()", 5}, {"x = 1", 6}}),
            (Rows{"= 0 0", "= 1 1"}));
}

TEST(LineAlignmentTest, TextThatIsAlikeFacesEachOther) {
  EXPECT_EQ(align({{"total[i] = total[i] + 1", 1}}, {{"j = 0", 8}, {"total[j] = total[j] + 1", 9}}),
            (Rows{"+ . 0", "~ 0 1"}));
}

TEST(LineAlignmentTest, TextThatIsNotAlikeStaysAlone) {
  EXPECT_EQ(align({{"T.fill(total)", 1}}, {{"for r in T.unroll(0, 4):", 9}}),
            (Rows{"- 0 .", "+ . 0"}));
}

TEST(LineAlignmentTest, AMovedLineSaysWhereItWent) {
  EXPECT_EQ(align({{"T.copy(A)", 1}, {"x = 1", 2}, {"y = 2", 3}},
                  {{"x = 1", 2}, {"y = 2", 3}, {"T.copy(A, S)", 1}}),
            (Rows{"- 0 . >2", "= 1 0", "= 2 1", "+ . 2 >0"}));
}

TEST(LineAlignmentTest, AMovedLineFacesNoOther) {
  // Both copies are alike, and each has changed places with the other.
  EXPECT_EQ(align({{"T.copy(K, K_shared)", 1}, {"x = 1", 2}, {"T.copy(V, V_shared)", 3}},
                  {{"T.copy(V, V_shared, 0)", 3}, {"x = 1", 2}, {"T.copy(K, K_shared, 0)", 1}}),
            (Rows{"- 0 . >2", "+ . 0 >2", "= 1 1", "- 2 . >0", "+ . 2 >0"}));
}

TEST(LineAlignmentTest, TheSecondLineOfAStatementFacesTheSecond) {
  EXPECT_EQ(align({{"a", 1}, {"b", 1}}, {{"c", 1}, {"d", 1}}), (Rows{"~ 0 0", "~ 1 1"}));
}

TEST(LineAlignmentTest, NothingFacesNothing) {
  EXPECT_EQ(align({}, {}), Rows());
  EXPECT_EQ(align({}, {{"a"}}), (Rows{"+ . 0"}));
  EXPECT_EQ(align({{"a"}}, {}), (Rows{"- 0 ."}));
}

// Whatever the texts are: every line stands in one row, in its order, and only equal texts are
// Same.
TEST(LineAlignmentTest, EveryLineStandsInOneRow) {
  std::mt19937 random(7);
  for (int round = 0; round != 300; ++round) {
    auto makeLines = [&] {
      std::vector<Line> lines(random() % 12);
      for (Line &line : lines)
        line = {"word" + std::to_string(random() % 3) + " and " + std::to_string(random() % 3),
                static_cast<uint32_t>(random() % 4 == 0 ? StmtId::None : random() % 8)};
      return lines;
    };
    std::vector<Line> before = makeLines(), after = makeLines();
    size_t x = 0, y = 0;
    for (const std::string &row : align(before, after)) {
      bool hasBefore = row[2] != '.';
      bool hasAfter = row.find('.') == std::string::npos || !hasBefore;
      ASSERT_TRUE(hasBefore || hasAfter);
      if (row[0] == '=')
        ASSERT_EQ(before[x].text, after[y].text);
      if (row[0] == '~')
        ASSERT_NE(before[x].text, after[y].text);
      if (hasBefore)
        ASSERT_EQ(row.substr(2, std::to_string(x).size()), std::to_string(x));
      x += hasBefore;
      y += hasAfter;
    }
    ASSERT_EQ(x, before.size());
    ASSERT_EQ(y, after.size());
  }
}

// A stage more: the copies before the loop are one more, and the loop faces the loop.
TEST(LineAlignmentTest, TextsOfTwoCompilesFaceEachOtherByIdentity) {
  std::vector<IdentifiedLine> before = {{"T.copy(A[0], S)", "line 5 T.copy"},
                                        {"for k in T.serial(8):", "line 4 for"},
                                        {"  T.copy(A[k + 1], S)", "line 5 T.copy"},
                                        {"  T.gemm(S, B)", "line 6 T.gemm"},
                                        {"}", "text }"}};
  std::vector<IdentifiedLine> after = {
      {"T.copy(A[0], S[0])", "line 5 T.copy"},    {"T.copy(A[1], S[1])", "line 5 T.copy"},
      {"for k in T.serial(8):", "line 4 for"},    {"  T.copy(A[k + 2], S[k % 2])", "line 5 T.copy"},
      {"  T.gemm(S[k % 2], B)", "line 6 T.gemm"}, {"}", "text }"}};
  std::vector<std::pair<int32_t, int32_t>> rows;
  for (const AlignedRow &row : alignIdentified(before, after))
    rows.emplace_back(row.before, row.after);
  EXPECT_EQ(rows, (std::vector<std::pair<int32_t, int32_t>>{
                      {0, 0}, {-1, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}));
}

} // namespace
