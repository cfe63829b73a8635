// Run alone: unit_tests --gtest_filter='TimedSweep*'
#include "core/json/json_value.h"
#include "core/sweep/best_points.h"
#include "core/sweep/sweep_csv.h"
#include "core/sweep/sweep_report.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

SweepHeader headerOfTuned() {
  SweepHeader header;
  header.format = SweepFormat;
  header.grid = llvm::cantFail(makeGrid({{"a", "1..3"}, {"b", "x,\"y,z\""}}, {}, "sm_80,sm_90a"));
  return header;
}

SweepRow rowOf(uint64_t point, int64_t peakBytes) {
  SweepRow row{point, "", "", {}};
  row.figures.peakBytes = peakBytes;
  return row;
}

TEST(TimedSweepTest, PointsSayOnWhatAndWhichIsFastest) {
  SweepJournal sweep{headerOfTuned(), {rowOf(0, 100), rowOf(1, 200), SweepRow{2, "no", "", {}}}, 0};
  sweep.header.gpu = "NVIDIA A";
  sweep.header.usesPtxas = true;
  sweep.header.grid.targets = {"sm_80"};
  sweep.rows[0].figures.medianNs = 12500;
  sweep.rows[1].figures.medianNs = 9100;
  sweep.rows[1].figures.smMhz = 1980;
  sweep.rows[1].figures.watts = 412;
  sweep.rows[1].figures.celsius = 55;
  sweep.rows[1].figures.slowedBy = {"power-cap", "thermal"};
  for (SweepRow &row : sweep.rows)
    row.figures.globalBytes = 8;
  EXPECT_EQ(sweepTable(sweep)[1].back(), "");
  EXPECT_NE(sweepCsv(sweep).find(",spillBytes,medianNs,smMhz,watts,celsius,slowedBy,pareto,"
                                 "error\n"),
            std::string::npos);
  EXPECT_NE(sweepCsv(sweep).find(",12500,,,,,1,\n"), std::string::npos);
  EXPECT_NE(sweepCsv(sweep).find(",9100,1980,412,55,power-cap+thermal,1,\n"), std::string::npos);
  Json json = sweepJson(sweep);
  EXPECT_EQ(json["gpu"], "NVIDIA A");
  EXPECT_EQ(json["points"][1]["medianNs"], 9100);
  EXPECT_EQ(json["points"][1]["smMhz"], 1980);
  EXPECT_EQ(json["points"][1]["slowedBy"], (Json{"power-cap", "thermal"}));
  EXPECT_FALSE(json["points"][0].contains("smMhz"));
  EXPECT_FALSE(json["points"][2].contains("medianNs"));
  llvm::StringRef summary = "3 points, 2 beaten by no other (*), 1 failed; timed on NVIDIA A";
  EXPECT_EQ(sweepSummary(sweep), (summary + ", fastest 9,100 ns a=1 b=\"y,z\"").str());
  sweep.header.grid.targets = {"sm_80", "sm_90a"}; // are not compared
  EXPECT_TRUE(llvm::StringRef(sweepSummary(sweep)).ends_with("timed on NVIDIA A"));
}

TEST(TimedSweepTest, TheFastestOfEachProblemIsFirst) {
  SweepJournal sweep{headerOfTuned(), {}, 0};
  auto add = [&](uint64_t point, const char *problem, std::optional<int64_t> time) {
    SweepRow one = SweepRow{point, "", "", {}};
    one.problem = problem;
    one.figures.medianNs = time;
    sweep.rows.push_back(one);
  };
  add(7, "A: float16[8]", 5); // of the second target
  add(3, "A: float16[8]", 10);
  add(1, "A: float16[8]", 30);
  add(4, "A: float16[9]", 20);
  add(2, "A: float16[8]", 10); // as fast, tried before
  add(0, "A: float16[8]", std::nullopt);
  sweep.rows.push_back(SweepRow{5, "no", "", {}});
  std::vector<RankedProblem> problems = rankProblems(sweep);
  auto pointsOf = [](const RankedProblem &problem) {
    std::vector<uint64_t> points;
    for (const SweepRow &row : problem.rows)
      points.push_back(row.point);
    return points;
  };
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_EQ(pointsOf(problems[0]), (std::vector<uint64_t>{2, 3, 1}));
  EXPECT_EQ(problems[0].first.point, 1U);
  EXPECT_EQ(problems[0].target, "sm_80");
  EXPECT_EQ(problems[1].problem, "A: float16[9]");
  EXPECT_EQ(problems[2].target, "sm_90a");
}

TEST(TimedSweepTest, PointsAndTimesAreReadBack) {
  SweepJournal sweep{headerOfTuned(), {}, 0};
  sweep.header.gpu = "NVIDIA A";
  for (uint64_t point = 0; point != 11; ++point) {
    sweep.rows.push_back(SweepRow{point, "", "", {}});
    sweep.rows.back().figures.medianNs = 100 - static_cast<int64_t>(point);
  }
  sweep.rows.push_back(SweepRow{11, "say \"no\", twice", "", {}});
  std::string csv = sweepCsv(sweep);
  SweepJournal read = llvm::cantFail(readSweepCsv(csv, "s.csv"));
  EXPECT_EQ(read.header.grid, sweep.header.grid);
  ASSERT_EQ(read.rows.size(), 12U);
  EXPECT_EQ(read.rows[3].figures.medianNs, 97);
  EXPECT_EQ(read.rows[11].error, "say \"no\", twice");
  auto faultOf = [](llvm::StringRef text) {
    auto sweep = readSweepCsv(text, "s.csv");
    return sweep ? "" : llvm::toString(sweep.takeError());
  };
  EXPECT_EQ(faultOf(csv.substr(0, csv.rfind("sm_90a"))),
            "'s.csv' does not have all points of a grid, in its order");
  EXPECT_EQ(faultOf("target,a,peakBytes,error\n"), "'s.csv' is no CSV of a sweep: line 1: there is "
                                                   "no column medianNs: its points were not timed");
  EXPECT_NE(faultOf("a,b\n1,2\n"), "");
  EXPECT_NE(faultOf(""), "");
  EXPECT_EQ(faultOf("target,a,peakBytes,medianNs,error\nsm_80,1,2,,\n"),
            "'s.csv' is no CSV of a sweep: line 2: '' is no time");
  EXPECT_EQ(faultOf("target,a,peakBytes,medianNs,error\nsm_80,1,2,-3,\n"),
            "'s.csv' is no CSV of a sweep: line 2: '-3' is no time");
  EXPECT_EQ(faultOf("target,a,peakBytes,medianNs,error\nsm_80,1\n"),
            "'s.csv' is no CSV of a sweep: line 2: 2 fields, the heading has 5");
}

} // namespace
