// Run alone: unit_tests --gtest_filter='ProblemCsv*'
#include "core/plan/planner.h"
#include "core/plan/problem_csv.h"

#include "gtest/gtest.h"

using namespace tilescope;

namespace {

std::string errorOf(llvm::StringRef text) {
  llvm::Expected<CsvProblem> csv = readProblemCsv(text, "p.csv");
  return csv ? "no error" : llvm::toString(csv.takeError());
}

TEST(ProblemCsvTest, ReadsColumnsInAnyOrderWithGapsAndPins) {
  llvm::Expected<CsvProblem> csv =
      readProblemCsv("\xef\xbb\xbfsize, offset,note,gaps,upper,id,lower,alignment\r\n"
                     "64,,x,30-40 50-60,100,a,10,16\r\n"
                     "\r\n"
                     "32,128,y,,60,b,40,\r\n",
                     "p.csv");
  ASSERT_TRUE(bool(csv)) << llvm::toString(csv.takeError());
  EXPECT_EQ(csv->times, (std::vector<int64_t>{10, 30, 40, 50, 60, 100}));
  ASSERT_EQ(csv->problem.buffers.size(), 2u);
  const ArenaBuffer &a = csv->problem.buffers[0], &b = csv->problem.buffers[1];
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.sizeBytes, 64);
  EXPECT_EQ(a.alignmentBytes, 16);
  EXPECT_EQ(a.live, (std::vector<LiveInterval>{{0, 1}, {2, 3}, {4, 5}}));
  EXPECT_EQ(b.live, (std::vector<LiveInterval>{{2, 4}}));
  EXPECT_EQ(b.alignmentBytes, 1);
  EXPECT_EQ(b.pinnedOffset, 128);
}

TEST(ProblemCsvTest, AnEndColumnIsInclusive) {
  llvm::Expected<CsvProblem> csv =
      readProblemCsv("buffer,start,end,size\na,0,4,1\nb,5,9,1\n", "p.csv");
  ASSERT_TRUE(bool(csv)) << llvm::toString(csv.takeError());
  EXPECT_EQ(csv->times, (std::vector<int64_t>{0, 5, 10}));
  EXPECT_FALSE(conflictWitness(csv->problem.buffers[0], csv->problem.buffers[1]));
}

TEST(ProblemCsvTest, APlanIsTheTableWithOffsets) {
  llvm::Expected<CsvProblem> csv =
      readProblemCsv("id,lower,upper,size\na,0,4,8\nb,2,9,4\n", "p.csv");
  ASSERT_TRUE(bool(csv));
  std::string text = writePlanCsv(*csv, describePlan(csv->problem, {4, 0}));
  EXPECT_EQ(text, "id,lower,upper,size,offset\na,0,4,8,4\nb,2,9,4,0\n");
  llvm::Expected<CsvProblem> again = readProblemCsv(text, "q.csv");
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(again->problem.buffers[0].pinnedOffset, 4);
  EXPECT_EQ(writePlanCsv(*again, describePlan(again->problem, {8, 4})),
            "id,lower,upper,size,offset\na,0,4,8,8\nb,2,9,4,4\n");
}

TEST(ProblemCsvTest, BadInputIsNamedWithItsLine) {
  const std::string header = "id,lower,upper,size,alignment,gaps,offset\n";
  const std::pair<std::string, const char *> cases[] = {
      {"", "p.csv:1: has no header; it names the columns id, lower, upper and size"},
      {"id,lower,size\n", "p.csv:1: column 'upper' is missing; the header is 'id,lower,size'"},
      {"id,lower,upper,end,size\n", "p.csv:1: column 'upper' stands twice"},
      {header + "a,0,1\n", "p.csv:2: 3 fields, but the header has 7 columns"},
      {header + ",0,1,4,,,\n", "p.csv:2: the id is empty"},
      {header + "a,0,1,4,,,\n\na,0,1,4,,,\n", "p.csv:4: id 'a' stands in line 2 already"},
      {header + "a\xff,0,1,4,,,\n", "p.csv:2: is not UTF-8"},
      {header + "a,x,1,4,,,\n", "p.csv:2: lifetime lower 'x' is no integer of 64 bits"},
      {header + "a,0,99999999999999999999,4,,,\n",
       "p.csv:2: lifetime upper '99999999999999999999' is no integer of 64 bits"},
      {header + "a,-1,1,4,,,\n", "p.csv:2: lifetime lower -1 is negative"},
      {header + "a,3,3,4,,,\n", "p.csv:2: lifetime [3, 3) is empty"},
      {header + "a,0,1,-4,,,\n", "p.csv:2: size -4 is negative"},
      {header + "a,0,1,,,,\n", "p.csv:2: size '' is no integer of 64 bits"},
      {header + "a,0,1,4,0,,\n", "p.csv:2: alignment 0; the least is 1"},
      {header + "a,0,1,4,16,,8\n", "p.csv:2: offset 8 is no multiple of the alignment 16"},
      {header + "a,0,1,17592186044416,,,\n",
       "p.csv:2: sizes, alignments and offsets up to here exceed 17592186044416 bytes"},
      {header + "a,0,9,4,,2-3@0:1,\n",
       "p.csv:2: gap '2-3@0:1' has a window, which is not supported"},
      {header + "a,0,9,4,,5,\n", "p.csv:2: gap upper '' is no integer of 64 bits"},
      {header + "a,0,9,4,,4-6 5-7,\n",
       "p.csv:2: gap '5-7' is not within the lifetime or not after the gap before it"},
      {"id,lower,end,size\na,0,9223372036854775807,4\n",
       "p.csv:2: lifetime upper 9223372036854775807 is too large"},
  };
  for (const auto &[text, message] : cases)
    EXPECT_EQ(errorOf(text), message);
}

TEST(ProblemCsvTest, QuotedFieldsAreReadAndWrittenBack) {
  llvm::StringRef text = "\"id\",lower,upper,size,\"a, note\"\n"
                         "\"K, V\",0,\"4\",64,\"say \"\"no\"\"\"\n"
                         "  \" b \"  ,4,8,32,\"\"\n";
  llvm::Expected<CsvProblem> csv = readProblemCsv(text, "p.csv");
  ASSERT_TRUE(bool(csv)) << llvm::toString(csv.takeError());
  EXPECT_EQ(csv->problem.buffers[0].name, "K, V");
  EXPECT_EQ(csv->problem.buffers[1].name, " b ");
  EXPECT_EQ(csv->rows[0][4], "say \"no\"");
  EXPECT_EQ(csv->times, (std::vector<int64_t>{0, 4, 8}));
  ArenaPlan plan = planArena(csv->problem);
  std::string written = writePlanCsv(*csv, plan);
  EXPECT_EQ(written, "id,lower,upper,size,\"a, note\",offset\n"
                     "\"K, V\",0,4,64,\"say \"\"no\"\"\",0\n"
                     "\" b \",4,8,32,,0\n");
  llvm::Expected<CsvProblem> again = readProblemCsv(written, "p.csv");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->problem.buffers[0].name, "K, V");
}

TEST(ProblemCsvTest, TornQuotesAreErrorsOfTheirLine) {
  const std::string header = "id,lower,upper,size\n";
  EXPECT_EQ(errorOf(header + "a,0,1,4\n\"b,0,1,4\n"),
            "p.csv:3: the quote of field 1 is not closed in its line");
  EXPECT_EQ(errorOf(header + "a,0,1,\"4\"\"\n"),
            "p.csv:2: the quote of field 4 is not closed in its line");
  EXPECT_EQ(errorOf(header + "\"a\"b,0,1,4\n"),
            "p.csv:2: text stands behind the quotes of field 1");
  EXPECT_EQ(errorOf("\"id,lower\n"), "p.csv:1: the quote of field 1 is not closed in its line");
}

TEST(ProblemCsvTest, TooManyBuffersAreRefused) {
  std::string text = "id,lower,upper,size\n";
  for (int row = 0; row != 100'001; ++row)
    text += std::to_string(row) + ",0,1,1\n";
  EXPECT_EQ(errorOf(text), "p.csv:100002: more than 100000 buffers");
}

} // namespace
