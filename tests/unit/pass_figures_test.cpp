// Run alone: unit_tests --gtest_filter='PassFigures*:PassSteps*'
#include "core/trace/pass_figures.h"
#include "core/views/passes_model.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

TraceSnapshot snapshotOf(std::vector<LineId> lines, const std::vector<int64_t> &heights = {}) {
  TraceSnapshot snapshot;
  snapshot.lines = std::make_shared<const std::vector<LineId>>(std::move(lines));
  std::vector<ArenaRecord> arenas;
  for (int64_t height : heights)
    arenas.emplace_back().plan.heightBytes = height;
  snapshot.arenas = std::make_shared<const std::vector<ArenaRecord>>(std::move(arenas));
  return snapshot;
}

TracePass passOf(int depth, PassStatus status, size_t snapshot) {
  TracePass pass;
  pass.depth = depth;
  pass.status = status;
  pass.snapshot = snapshot;
  return pass;
}

// elaborate; a group of two passes, one of which changes nothing; a failed pass.
Trace groupedTrace() {
  Trace trace;
  trace.lines.resize(6);
  trace.snapshots = {snapshotOf({0, 1, 2}, {64}), snapshotOf({0, 3, 2}, {96, 32}),
                     snapshotOf({0, 3, 4, 5}, {48})};
  trace.passes = {passOf(0, PassStatus::Changed, 0),   passOf(1, PassStatus::Changed, 1),
                  passOf(1, PassStatus::Unchanged, 1), passOf(1, PassStatus::Changed, 2),
                  passOf(0, PassStatus::Changed, 2),   passOf(0, PassStatus::Failed, 2)};
  return trace;
}

TEST(PassFiguresTest, CountLinesAndTheHighestArena) {
  Trace trace = groupedTrace();
  EXPECT_EQ(figuresOf(trace, 0), (PassFigures{3, 0, 64, true}));
  EXPECT_EQ(figuresOf(trace, 1), (PassFigures{1, 1, 96, true}));
  EXPECT_EQ(figuresOf(trace, 2), (PassFigures{0, 0, 96, true}));
}

TEST(PassFiguresTest, AGroupDidWhatItsPassesDid) {
  Trace trace = groupedTrace();
  EXPECT_EQ(firstOfGroup(trace, 4), 1U);
  EXPECT_EQ(firstOfGroup(trace, 3), 3U);
  EXPECT_EQ(figuresOf(trace, 4), (PassFigures{3, 2, 48, true}));
}

// A group of ours is nothing else; a pass of another compiler may be more.
TEST(PassFiguresTest, OnlyOurGroupsAreNothingButTheirPasses) {
  Trace trace = groupedTrace();
  EXPECT_TRUE(isOnlyGroup(trace, 4));
  EXPECT_FALSE(isOnlyGroup(trace, 3));
  trace.header.compiler = "other 1.0";
  EXPECT_FALSE(isOnlyGroup(trace, 4));
}

TEST(PassFiguresTest, TheCapacityIsThatOfTheHighestArena) {
  Trace trace = groupedTrace();
  trace.header.capacityBytes = 1000;
  std::vector<ArenaRecord> arenas = *trace.snapshots[1].arenas; // of 96 and 32 bytes
  arenas[0].problem.capacityBytes = 900;
  arenas[1].problem.capacityBytes = 800;
  trace.snapshots[1].arenas = std::make_shared<const std::vector<ArenaRecord>>(arenas);
  EXPECT_EQ(capacityAfter(trace, 1), 900);
  trace.snapshots[1].arenas = emptyPart<ArenaRecord>();
  EXPECT_EQ(capacityAfter(trace, 1), 1000);
}

TEST(PassFiguresTest, WhatWasRecordedIsNotCounted) {
  Trace trace = groupedTrace();
  trace.passes[1].figures = {7, 8, 9, false};
  EXPECT_EQ(figuresOf(trace, 1), (PassFigures{7, 8, 9, false}));
}

TEST(PassFiguresTest, DeltasAreAgainstThePassBefore) {
  std::vector<PassRow> rows = buildPasses(groupedTrace(), {}).passes;
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[0].sharedDeltaBytes, 0);
  EXPECT_EQ(rows[1].sharedDeltaBytes, 32);
  EXPECT_EQ(rows[2].sharedDeltaBytes, 0);
  EXPECT_EQ(rows[3].sharedDeltaBytes, -48);
  EXPECT_EQ(rows[4].sharedDeltaBytes, -16); // of the whole group
}

TEST(PassStepsTest, StopAtPassesThatChangedOrFailed) {
  Trace trace = groupedTrace();
  EXPECT_EQ(nextChangedPass(trace, 0), 1U);
  EXPECT_EQ(nextChangedPass(trace, 1), 3U);
  EXPECT_EQ(nextChangedPass(trace, 4), 5U);
  EXPECT_EQ(nextChangedPass(trace, 5), 5U);
  EXPECT_EQ(previousChangedPass(trace, 3), 1U);
  EXPECT_EQ(previousChangedPass(trace, 0), 0U);
  EXPECT_EQ(nextChangedPass(trace, 99), 99U);
  EXPECT_EQ(previousChangedPass(trace, 99), 5U);
  EXPECT_EQ(nextChangedPass(Trace(), 0), 0U);
}

} // namespace
