// Run alone: unit_tests --gtest_filter='Verdict*:Judgement*'
#include "core/driver/judge_trace.h"
#include "core/views/findings_model.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

// Of a compile that went well; `lines` are the text of its only state.
Trace soundTrace(const std::vector<const char *> &lines) {
  Trace trace;
  trace.header.target = "sm_80";
  trace.header.pipeline = "simplify";
  std::vector<LineId> ids;
  for (const char *line : lines) {
    ids.push_back(static_cast<LineId>(trace.lines.size()));
    trace.lines.push_back({line, {}, {}, {}});
  }
  trace.snapshots.emplace_back().lines = std::make_shared<const std::vector<LineId>>(ids);
  trace.passes.push_back({"simplify", "", 0, PassStatus::Changed, 0});
  trace.passes.back().verdicts = {Verdict::Yes, Verdict::Yes, Verdict::Yes};
  trace.complete = true;
  return trace;
}

TEST(Verdict, OfTwoThingsIsTheWorse) {
  constexpr Verdict Yes = Verdict::Yes, No = Verdict::No, Open = Verdict::NotEstablished;
  EXPECT_EQ(allOf(Yes, Yes), Yes);
  EXPECT_EQ(allOf(Yes, Open), Open);
  EXPECT_EQ(allOf(Open, Open), Open);
  EXPECT_EQ(allOf(Open, No), No);
  EXPECT_EQ(allOf(No, Yes), No);
}

TEST(Judgement, AFindingRefutesAndADoubtLeavesOpen) {
  Trace trace = soundTrace({});
  EXPECT_EQ(recordedJudgement(trace)[Question::HazardFree].verdict, Verdict::Yes);
  trace.diagnostics.push_back(
      {"HazardNotEstablished", "warning", {FileId(0), 7, 1, 7, 2}, "the index is not known", {}});
  Answer open = recordedJudgement(trace)[Question::HazardFree];
  EXPECT_EQ(open.verdict, Verdict::NotEstablished);
  EXPECT_EQ(open.why, "the index is not known");
  EXPECT_EQ(open.span.line, 7U);
  FindingsView view = buildFindings(trace, Selection());
  ASSERT_EQ(view.notEstablished.size(), 1U);
  EXPECT_EQ(view.notEstablished[0].question, "free of hazards");
  EXPECT_EQ(view.notEstablished[0].place.line.number, 7U);
  EXPECT_TRUE(view.isClean());
  trace.diagnostics.push_back({"AllowedHazard", "warning", {}, "they race", {}});
  EXPECT_EQ(recordedJudgement(trace)[Question::HazardFree].verdict, Verdict::No);
  EXPECT_FALSE(buildFindings(trace, Selection()).isClean());
}

TEST(Judgement, TextOfStrangersIsReadOrRefused) {
  // A line or a tag that is several lines is other IR than what is shown.
  for (const char *text : {"# tilescope-ir 1\nT.module()", "# tilescope-ir 9", "", "x y z ("}) {
    Judgement judgement = judgeTrace(soundTrace({text}));
    for (Question question : AllQuestions) {
      EXPECT_EQ(judgement[question].verdict, Verdict::NotEstablished) << text;
      EXPECT_NE(judgement[question].why, "") << text;
    }
  }
  Trace trace = soundTrace({"# tilescope-ir 1"});
  trace.tags = {"s1\nT.module()"};
  EXPECT_EQ(judgeTrace(trace)[Question::Verified].verdict, Verdict::NotEstablished);
}

} // namespace
