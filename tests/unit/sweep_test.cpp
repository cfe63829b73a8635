// Run alone: unit_tests --gtest_filter='Sweep*'
#include "core/json/json_value.h"
#include "core/sweep/measure.h"
#include "core/sweep/pareto.h"
#include "core/sweep/ptxas_usage.h"
#include "core/sweep/sweep_report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

std::string valuesOf(llvm::StringRef text) {
  return llvm::join(llvm::cantFail(parseValueList(text)), "|");
}
std::string faultOf(llvm::StringRef text) {
  llvm::Expected<std::vector<std::string>> values = parseValueList(text);
  return values ? "" : llvm::toString(values.takeError());
}

TEST(SweepValuesTest, CommasSeparateAtTheTopOnly) {
  EXPECT_EQ(valuesOf("64, 128"), "64|128");
  EXPECT_EQ(valuesOf("(8, 64),[1,2],{3: \"a,b\"}"), "(8, 64)|[1,2]|{3: \"a,b\"}");
  EXPECT_EQ(valuesOf(R"x('a\',b',"c)")x"), R"x('a\',b'|"c)")x");
  EXPECT_EQ(valuesOf("float16,T.float32,-1.5e-3"), "float16|T.float32|-1.5e-3");
  EXPECT_EQ(valuesOf("('1..4', \"..\")"), "('1..4', \"..\")");
}

TEST(SweepValuesTest, RangesHoldBothEnds) {
  EXPECT_EQ(valuesOf("1..4"), "1|2|3|4");
  EXPECT_EQ(valuesOf("-2..0"), "-2|-1|0");
  EXPECT_EQ(valuesOf("0..96+32,7"), "0|32|64|96|7");
  EXPECT_EQ(valuesOf("0..95+32"), "0|32|64");
  EXPECT_EQ(valuesOf("64..512*2"), "64|128|256|512");
  EXPECT_EQ(valuesOf("3..3*2"), "3");
  EXPECT_EQ(valuesOf("9223372036854775806..9223372036854775807"),
            "9223372036854775806|9223372036854775807");
  EXPECT_EQ(valuesOf("4611686018427387904..9223372036854775807*2"), "4611686018427387904");
}

TEST(SweepValuesTest, FaultsPointAtTheirPlace) {
  EXPECT_EQ(faultOf("64,,128"), "expected a value\n  64,,128\n     ^");
  EXPECT_EQ(faultOf(""), "expected a value\n  \n  ^");
  EXPECT_EQ(faultOf("(1,2"), "nothing closes this\n  (1,2\n  ^");
  EXPECT_EQ(faultOf("1,(2]"), "nothing opens this\n  1,(2]\n      ^");
  EXPECT_EQ(faultOf("1, 'a"), "nothing closes this\n  1, 'a\n     ^");
  EXPECT_EQ(faultOf("2, 4..1"), "the range ends before it begins\n  2, 4..1\n     ^");
  EXPECT_EQ(faultOf("1,1"), "'1' is given twice\n  1,1\n    ^");
  for (llvm::StringRef text :
       {"1..", "..4", "1...4", "1..4..6", "1..4-1", "1..4*", "0..8*2", "1..8*1", "1..8+0",
        "1..99999999999999999999", "1..2000000", "'\\", "64,", ","})
    EXPECT_NE(faultOf(text), "") << text.str();
}

SweepGrid gridOf() {
  return llvm::cantFail(makeGrid({{"a", "1..3"}, {"b", "x,\"y,z\""}}, {}, "sm_80,sm_90a"));
}

std::string textOf(const SweepPoint &point) {
  std::string text = point.target;
  for (const auto &[name, value] : point.settings())
    text.append(" ").append(name).append("=").append(value);
  return text;
}

TEST(SweepGridTest, TheLastArgumentChangesFastest) {
  SweepGrid grid = gridOf();
  ASSERT_EQ(grid.size(), 12U);
  EXPECT_EQ(textOf(grid.point(0)), "sm_80 a=1 b=x");
  EXPECT_EQ(textOf(grid.point(1)), "sm_80 a=1 b=\"y,z\"");
  EXPECT_EQ(textOf(grid.point(5)), "sm_80 a=3 b=\"y,z\"");
  EXPECT_EQ(textOf(grid.point(6)), "sm_90a a=1 b=x");
}

TEST(SweepGridTest, OptionsOfPassesChangeFasterThanArguments) {
  SweepGrid grid = llvm::cantFail(makeGrid({{"a", "1,2"}}, {{"p.o", "true,false"}}, "sm_80"));
  EXPECT_EQ(textOf(grid.point(1)), "sm_80 a=1 p.o=false");
  EXPECT_EQ(textOf(grid.point(2)), "sm_80 a=2 p.o=true");
  EXPECT_EQ(grid.point(2).arguments, (std::vector<SweepSetting>{{"a", "2"}}));
  EXPECT_EQ(grid.point(2).passOptions, (std::vector<SweepSetting>{{"p.o", "true"}}));
  std::swap(grid.axes[0], grid.axes[1]);
  EXPECT_EQ(llvm::toString(checkGrid(grid)), "an argument stands behind an option of a pass");
  llvm::Expected<SweepGrid> faulty = makeGrid({}, {{"p.o", "1,"}}, "sm_80");
  EXPECT_TRUE(
      llvm::StringRef(llvm::toString(faulty.takeError())).starts_with("--pass-option p.o:"));
}

TEST(SweepGridTest, HugeGridsAreRefused) {
  auto faultOf = [](const auto &settings, llvm::StringRef targets) {
    llvm::Expected<SweepGrid> grid = makeGrid(settings, {}, targets);
    return grid ? "" : llvm::toString(grid.takeError());
  };
  using Settings = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(faultOf(Settings{{"a", "1..1000"}, {"b", "1..1001"}}, "sm_80"),
            "the grid has more than 1,000,000 points");
  EXPECT_EQ(faultOf(Settings{{"a", "1..1000"}, {"b", "1..1000"}}, "sm_80"), "");
  EXPECT_EQ(faultOf(Settings(5, {"a", "1..1000000"}), "sm_80"),
            "the grid has more than 1,000,000 points");
  EXPECT_NE(faultOf(Settings{}, "sm_1"), "");
  EXPECT_NE(faultOf(Settings{{"a", "("}}, "sm_80"), "");
}

TEST(SweepGridTest, ShardsSplitThePointsAmongThem) {
  std::vector<int> taken(12);
  for (llvm::StringRef text : {"1/5", "2/5", "3/5", "4/5", "5/5"}) {
    SweepShard shard = llvm::cantFail(parseShard(text));
    for (uint64_t point = 0; point != taken.size(); ++point)
      taken[point] += shard.holds(point);
  }
  EXPECT_EQ(taken, std::vector<int>(12, 1));
  for (llvm::StringRef text : {"", "1", "0/4", "5/4", "1/0", "a/b", "-1/2", "1/2/3", "/"}) {
    llvm::Expected<SweepShard> shard = parseShard(text);
    EXPECT_FALSE(shard) << text.str();
    llvm::consumeError(shard.takeError());
  }
}

SweepRow row(uint64_t point, int64_t peak, int64_t blocks, int64_t barriers) {
  SweepRow made{point, "", {}};
  made.figures.peakBytes = peak;
  made.figures.proof = "optimal";
  made.figures.blocksPerSm = blocks;
  made.figures.barriers = barriers;
  return made;
}

TEST(SweepParetoTest, NoOtherPointIsAsGoodAndBetter) {
  std::vector<SweepRow> rows{row(0, 100, 4, 2), row(1, 100, 4, 2), row(2, 100, 3, 2),
                             row(3, 200, 5, 2), row(4, 200, 4, 1), row(5, 300, 4, 1),
                             row(6, 900, 1, 9)}; // alone on its target
  EXPECT_EQ(paretoMarks(gridOf(), rows),
            (std::vector<bool>{true, true, false, true, true, false, true}));
  rows[0].error = "no";
  EXPECT_FALSE(paretoMarks(gridOf(), rows)[0]);
}

TEST(SweepParetoTest, RegistersCountOnceAllAreKnown) {
  std::vector<SweepRow> rows{row(0, 100, 4, 2), row(1, 200, 4, 2)};
  rows[1].figures.registers = 10;
  rows[1].figures.spillBytes = 0;
  EXPECT_EQ(paretoMarks(gridOf(), rows), (std::vector<bool>{true, false}));
  rows[0].figures.registers = 20;
  rows[0].figures.spillBytes = 0;
  EXPECT_EQ(paretoMarks(gridOf(), rows), (std::vector<bool>{true, true}));
}

TEST(SweepParetoTest, LessTimeIsBetterOnceAllAreTimed) {
  std::vector<SweepRow> rows{row(0, 100, 4, 2), row(1, 200, 4, 2)};
  rows[1].figures.medianNs = 10;
  EXPECT_EQ(paretoMarks(gridOf(), rows), (std::vector<bool>{true, false}));
  rows[0].figures.medianNs = 10;
  EXPECT_EQ(paretoMarks(gridOf(), rows), (std::vector<bool>{true, false}));
  rows[0].figures.medianNs = 20;
  EXPECT_EQ(paretoMarks(gridOf(), rows), (std::vector<bool>{true, true}));
}

TEST(SweepParetoTest, FewerGlobalBytesAreBetterWhereAllOfAProblemAreKnown) {
  // A tile of four times the size moves half the bytes.
  std::vector<SweepRow> rows{row(0, 100, 4, 2), row(1, 400, 2, 2)};
  EXPECT_EQ(paretoMarks(gridOf(), rows), (std::vector<bool>{true, false}));
  rows[0].figures.globalBytes = 2000;
  EXPECT_EQ(paretoMarks(gridOf(), rows), (std::vector<bool>{true, false}));
  rows[1].figures.globalBytes = 1000;
  EXPECT_EQ(paretoMarks(gridOf(), rows), (std::vector<bool>{true, true}));
  rows[1].figures.globalBytes = 2000;
  EXPECT_EQ(paretoMarks(gridOf(), rows), (std::vector<bool>{true, false}));
}

TEST(SweepParetoTest, ProblemsAreNotCompared) {
  std::vector<SweepRow> rows{row(0, 100, 4, 2), row(1, 200, 4, 2), row(2, 300, 4, 2)};
  rows[1].problem = rows[2].problem = "A: float16[64]";
  EXPECT_EQ(paretoMarks(gridOf(), rows), (std::vector<bool>{true, true, false}));
  EXPECT_EQ(countProblems(rows), 2U);
}

TEST(SweepPtxasTest, TheLogIsSummedUpOverKernels) {
  llvm::StringRef log = "ptxas info    : Function properties for a\n"
                        "    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n"
                        "ptxas info    : Used 223 registers, used 1 barriers\n"
                        "ptxas info    : Function properties for b\n"
                        "    0 bytes stack frame, 0 bytes spill stores, 1 bytes spill loads\n"
                        "ptxas info    : Used 40 registers\n";
  EXPECT_EQ(usageOf(log), (PtxasUsage{{{"a", 223}, {"b", 40}}, 17}));
  EXPECT_EQ(usageOf("warning: no kernel"), std::nullopt);
  EXPECT_EQ(usageOf("Used 99999999999999999999 registers"), std::nullopt);
}

SweepHeader headerOf(SweepShard shard = {}) {
  SweepHeader header;
  header.format = SweepFormat;
  header.kernel = "k.py:f";
  header.fileHash = "12";
  header.grid = gridOf();
  header.shard = shard;
  return header;
}

class SweepJournalTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tilescope", "journal", path_));
    ASSERT_FALSE(llvm::sys::fs::remove(path_));
  }
  void TearDown() override { (void)llvm::sys::fs::remove(path_); }

  std::string path() const { return path_.str().str(); }
  std::string text() const { return (*llvm::MemoryBuffer::getFile(path_))->getBuffer().str(); }
  void write(llvm::StringRef text) const {
    std::error_code code;
    llvm::raw_fd_ostream(path(), code) << text;
    ASSERT_FALSE(code);
  }
  void writeRows(const SweepHeader &header, const std::vector<SweepRow> &rows) const {
    auto writer = llvm::cantFail(JournalWriter::open(path(), header, /*isResumed=*/false));
    for (const SweepRow &row : rows)
      ASSERT_FALSE(writer->append(row));
  }
  std::string faultOfOpening(const SweepHeader &header, bool isResumed) const {
    auto writer = JournalWriter::open(path(), header, isResumed);
    return writer ? "" : llvm::toString(writer.takeError());
  }

private:
  llvm::SmallString<128> path_;
};

SweepRow failedRow(uint64_t point, std::string error) { return {point, std::move(error), {}}; }

TEST_F(SweepJournalTest, RowsComeBack) {
  SweepRow full = row(3, 1024, 2, 1);
  full.problem = "A: float16[64, n]";
  full.figures.globalBytes = int64_t(1) << 60;
  full.figures.stages = 4;
  full.figures.registers = 255;
  full.figures.limitedBy = {"registers"};
  full.figures.spillBytes = 0;
  full.figures.medianNs = 9100;
  full.figures.smMhz = 1980;
  full.figures.watts = 412;
  full.figures.celsius = 55;
  full.figures.slowedBy = {"power-cap"};
  std::vector<SweepRow> rows{full, failedRow(7, "not \"good\"\n\xFF")};
  writeRows(headerOf(), rows);
  SweepJournal journal = *llvm::cantFail(readJournal(text(), "j"));
  EXPECT_EQ(journal.rows[0], full);
  EXPECT_EQ(journal.rows[1].error, "not \"good\"\n\xEF\xBF\xBD");
  EXPECT_EQ(differenceOf(journal.header, headerOf()), "");
  EXPECT_EQ(journal.goodBytes, text().size());
}

// A kill may tear the text anywhere.
TEST_F(SweepJournalTest, EveryTornJournalIsResumed) {
  std::vector<SweepRow> rows{row(2, 100, 1, 1), row(0, 200, 2, 2), failedRow(5, "no")};
  writeRows(headerOf(), rows);
  std::string whole = text();
  for (size_t length = 0; length <= whole.size(); ++length) {
    ASSERT_FALSE(llvm::sys::fs::remove(path()));
    write(whole.substr(0, length));
    auto writer = llvm::cantFail(JournalWriter::open(path(), headerOf(), /*isResumed=*/true));
    std::vector<SweepRow> kept = writer->rows();
    size_t lines = llvm::StringRef(whole).take_front(length).count('\n');
    ASSERT_EQ(kept.size(), lines == 0 ? 0 : lines - 1) << length;
    for (size_t i = kept.size(); i != rows.size(); ++i)
      ASSERT_FALSE(writer->append(rows[i]));
    ASSERT_EQ(text(), whole) << length;
  }
}

TEST_F(SweepJournalTest, ItIsNotOverwritten) {
  writeRows(headerOf(), {row(1, 1, 1, 1)});
  EXPECT_NE(faultOfOpening(headerOf(), false).find("is there already"), std::string::npos);
  SweepHeader other = headerOf();
  other.grid.axes[0].values.pop_back();
  EXPECT_NE(faultOfOpening(other, true).find("it differs in the values of 'a'"), std::string::npos);
  EXPECT_NE(faultOfOpening(headerOf({2, 3}), true).find("it differs in the shard"),
            std::string::npos);
  other = headerOf();
  other.grid.axes.push_back({"p.o", {"1"}, true});
  EXPECT_NE(faultOfOpening(other, true).find("it differs in the options of passes"),
            std::string::npos);
  other = headerOf();
  other.patches = {"12"};
  EXPECT_NE(faultOfOpening(other, true).find("it differs in the patches"), std::string::npos);
  other = headerOf();
  other.fileHash = "13";
  EXPECT_NE(faultOfOpening(other, true).find("the text of the kernel file"), std::string::npos);
  EXPECT_EQ(faultOfOpening(headerOf(), true), "");
}

TEST_F(SweepJournalTest, BrokenJournalsAreRefused) {
  writeRows(headerOf({2, 3}), {});
  std::string header = text();
  auto faultOf = [](const std::string &text) {
    auto journal = readJournal(text, "j");
    return journal ? "" : llvm::toString(journal.takeError());
  };
  EXPECT_EQ(faultOf(header + "{\"point\":4}\n"), "");
  EXPECT_EQ(faultOf(header + "{\"point\":12}\n"),
            "'j' is no journal of a sweep: line 2: the grid has no point 12");
  EXPECT_EQ(faultOf(header + "{\"point\":3}\n"),
            "'j' is no journal of a sweep: line 2: point 3 is not of its shard");
  EXPECT_EQ(faultOf(header + "{\"point\":4}\n{\"point\":4}\n"), "point 4 is twice in 'j'");
  EXPECT_NE(faultOf(header + "{\"point\":4,\"peakBytes\":-1}\n"), "");
  EXPECT_NE(faultOf(header + "{\"point\":4,\"globalBytes\":-1}\n"), "");
  EXPECT_NE(faultOf(header + "{\"point\":4,\"smMhz\":-1}\n"), "");
  EXPECT_NE(faultOf(header + "{\"point\":\"4\"}\n"), "");
  EXPECT_NE(faultOf(header + "\n"), "");
  EXPECT_NE(faultOf("{}\n"), "");
  EXPECT_NE(faultOf("{\"format\":4,\"axes\":[],\"targets\":[]}\n"), "");
  EXPECT_NE(
      faultOf("{\"format\":4,\"axes\":[{\"name\":\"a\",\"values\":[]}],\"targets\":[\"b\"]}\n"),
      "");
  EXPECT_NE(faultOf("{\"format\":4,\"targets\":[\"b\"],\"shard\":{\"index\":0,\"count\":0}}\n"),
            "");
}

TEST(SweepMergeTest, ShardsMustBeWholeAndOfOneSweep) {
  auto shard = [](uint64_t index, const std::vector<uint64_t> &points) {
    SweepJournal journal{headerOf({index, 3}), {}, 0};
    for (uint64_t point : points)
      journal.rows.push_back(row(point, 1, 1, 1));
    return journal;
  };
  auto faultOf = [](std::vector<SweepJournal> journals) {
    std::vector<std::string> names;
    for (size_t i = 0; i != journals.size(); ++i)
      names.push_back("p" + std::to_string(i + 1));
    auto whole = mergeJournals(std::move(journals), names);
    return whole ? "" : llvm::toString(whole.takeError());
  };
  SweepJournal first = shard(1, {9, 0, 3, 6}), second = shard(2, {1, 4, 7, 10}),
               third = shard(3, {2, 5, 8, 11});
  EXPECT_EQ(faultOf({third, first, second}), "");
  EXPECT_EQ(faultOf({first, third}),
            "4 of 12 points are missing, the first is point 1 (counted from 0); shard 2/3 lacks "
            "all");
  EXPECT_EQ(faultOf({first, shard(2, {1, 10}), third}),
            "2 of 12 points are missing, the first is point 4 (counted from 0); shard 2/3 lacks 2");
  EXPECT_EQ(faultOf({first, second, first}),
            "point 9 is twice in the shards, the second time in 'p3'");
  SweepJournal other = second;
  other.header.grid.targets = {"sm_80"};
  EXPECT_EQ(faultOf({first, other}), "'p1' and 'p2' are of two sweeps: they differ in the targets");
  other = second;
  other.header.gpu = "NVIDIA A";
  EXPECT_EQ(faultOf({first, other}),
            "'p1' and 'p2' are of two sweeps: they differ in the GPU that times them");
  other = second;
  other.header.shard.count = 4;
  EXPECT_EQ(faultOf({first, other}), "'p1' is shard 1/3 and 'p2' is shard 2/4");
  SweepJournal whole = llvm::cantFail(mergeJournals({third, first, second}, {"a", "b", "c"}));
  for (uint64_t point = 0; point != 12; ++point)
    EXPECT_EQ(whole.rows[point].point, point);
}

TEST(SweepReportTest, CsvQuotesWhatNeedsIt) {
  SweepJournal sweep{headerOf(), {row(0, 100, 4, 2), failedRow(1, "say \"no\", twice")}, 0};
  sweep.rows[0].figures.limitedBy = {"shared-memory", "registers"};
  EXPECT_EQ(sweepCsv(sweep), "target,a,b,peakBytes,proof,globalBytes,blocksPerSm,limitedBy,"
                             "barriers,stages,pareto,error\n"
                             "sm_80,1,x,100,optimal,,4,shared-memory+registers,2,0,1,\n"
                             "sm_80,1,\"\"\"y,z\"\"\",,,,,,,,0,\"say \"\"no\"\", twice\"\n");
  Json json = sweepJson(sweep);
  EXPECT_EQ(json["failed"], 1);
  EXPECT_EQ(json["points"][0]["arguments"]["b"], "x");
  EXPECT_EQ(json["points"][1]["error"], "say \"no\", twice");
  EXPECT_EQ(json["points"][0]["limitedBy"], (Json{"shared-memory", "registers"}));
  EXPECT_EQ(sweepSummary(sweep), "2 points of 2 targets, 1 beaten by no other (*), 1 failed; "
                                 "blocks/SM by shared memory and threads; global bytes unknown at "
                                 "1, so not compared there");
  sweep.rows[0].figures.globalBytes = 8;
  sweep.header.usesPtxas = true;
  EXPECT_EQ(sweepSummary(sweep), "2 points of 2 targets, 1 beaten by no other (*), 1 failed");
}

} // namespace
