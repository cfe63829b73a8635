// Run alone: unit_tests --gtest_filter='IrGutter*'
#include "core/views/ir_gutter.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

// A function whose line 1 + p is point p; with a line of no point after each.
Trace traceOf(uint32_t pointCount, std::vector<BufferLifetime> lifetimes) {
  Trace trace;
  auto lines = std::make_shared<std::vector<LineId>>();
  auto add = [&](std::string text, StmtId stmt) {
    lines->push_back(static_cast<LineId>(trace.lines.size()));
    trace.lines.push_back({std::move(text), stmt, BufferId(), Span()});
  };
  AccessRecord record;
  record.function = "f";
  AccessNode root;
  add("def f():", StmtId());
  for (uint32_t point = 0; point != pointCount; ++point) {
    add("    T.copy()", StmtId(point));
    add("    x = 1", StmtId(100 + point));
    AccessNode leaf;
    leaf.kind = AccessNode::Kind::Leaf;
    leaf.stmt = StmtId(point);
    root.children.push_back(record.program.add(std::move(leaf)));
  }
  add("", StmtId());
  add("def g():", StmtId());
  record.program.root = record.program.add(std::move(root));
  record.lifetimes.buffers = std::move(lifetimes);
  trace.passes.emplace_back();
  TraceSnapshot &snapshot = trace.snapshots.emplace_back();
  snapshot.lines = lines;
  snapshot.accesses =
      std::make_shared<const std::vector<AccessRecord>>(std::vector<AccessRecord>{record});
  return trace;
}

IrGutter gutterOf(const Trace &trace) {
  std::vector<IrGutter> gutters = buildGutters(PassState(trace, 0));
  EXPECT_EQ(gutters.size(), 1U);
  return gutters.empty() ? IrGutter() : gutters[0];
}

TEST(IrGutterTest, APointReachesToTheNextOne) {
  IrGutter gutter = gutterOf(traceOf(3, {{BufferId(4), {{0, 2}}, {0}, {1}, {{0, 1}}}}));
  EXPECT_EQ(gutter.lineOfPoint, (std::vector<uint32_t>{1, 3, 5}));
  ASSERT_EQ(gutter.lanes.size(), 1U);
  ASSERT_EQ(gutter.lanes[0].live.size(), 1U);
  EXPECT_EQ(gutter.lanes[0].live[0].begin, 1U);
  EXPECT_EQ(gutter.lanes[0].live[0].end, 5U);
  ASSERT_EQ(gutter.lanes[0].inFlight.size(), 1U);
  EXPECT_EQ(gutter.lanes[0].inFlight[0].end, 3U);
  ASSERT_EQ(gutter.lanes[0].marks.size(), 2U);
  EXPECT_TRUE(gutter.lanes[0].marks[0].isDef);
  EXPECT_TRUE(gutter.lanes[0].marks[1].isUse);
  EXPECT_EQ(gutter.lanes[0].marks[1].line, 3U);
}

TEST(IrGutterTest, TheLastPointEndsWithTheFunction) {
  IrGutter gutter = gutterOf(traceOf(3, {{BufferId(4), {{2, 3}}, {2}, {2}, {}}}));
  ASSERT_EQ(gutter.lanes.size(), 1U);
  EXPECT_EQ(gutter.lanes[0].live[0].end, 7U);
  ASSERT_EQ(gutter.lanes[0].marks.size(), 1U);
  EXPECT_TRUE(gutter.lanes[0].marks[0].isDef && gutter.lanes[0].marks[0].isUse);
}

TEST(IrGutterTest, APointEndsWithItsBlock) {
  Trace trace = traceOf(2, {{BufferId(4), {{0, 1}}, {0}, {0}, {}}});
  TraceLine inLoop = trace.lines[1];
  inLoop.text = "        T.copy()"; // in a loop that the line after does not belong to
  trace.lines.set(1, std::move(inLoop));
  IrGutter gutter = gutterOf(trace);
  ASSERT_EQ(gutter.lanes.size(), 1U);
  EXPECT_EQ(gutter.lanes[0].live[0].begin, 1U);
  EXPECT_EQ(gutter.lanes[0].live[0].end, 2U);
}

// Points 0 and 1 are the first lane, the statements of which stand below those of the second.
TEST(IrGutterTest, ARoleMayStandAboveOneWhosePointsComeFirst) {
  Trace trace = traceOf(
      4, {{BufferId(4), {{0, 2}}, {0}, {1}, {}}, {BufferId(5), {{1, 4}}, {2}, {1, 3}, {{2, 4}}}});
  for (uint32_t point : {0, 1, 2, 3}) {
    TraceLine line = trace.lines[1 + 2 * point];
    line.stmt = StmtId((point + 2) % 4);
    trace.lines.set(1 + 2 * point, std::move(line));
  }
  IrGutter gutter = gutterOf(trace);
  EXPECT_EQ(gutter.lineOfPoint, (std::vector<uint32_t>{5, 7, 1, 3}));
  ASSERT_EQ(gutter.lanes.size(), 2U);
  const GutterLane &ofBoth = gutter.lanes[0], &ofFirst = gutter.lanes[1];
  ASSERT_EQ(ofFirst.live.size(), 1U);
  EXPECT_EQ(ofFirst.live[0].begin, 5U);
  EXPECT_EQ(ofFirst.live[0].end, 9U);
  ASSERT_EQ(ofBoth.live.size(), 2U);
  EXPECT_EQ(ofBoth.live[0].begin, 1U);
  EXPECT_EQ(ofBoth.live[0].end, 5U);
  EXPECT_EQ(ofBoth.live[1].begin, 7U);
  ASSERT_EQ(ofBoth.inFlight.size(), 1U);
  EXPECT_EQ(ofBoth.inFlight[0].end, 5U);
  ASSERT_EQ(ofBoth.marks.size(), 3U);
  EXPECT_TRUE(ofBoth.marks[0].line == 1 && ofBoth.marks[0].isDef);
  EXPECT_EQ(ofBoth.marks[1].line, 3U);
  EXPECT_EQ(ofBoth.marks[2].line, 7U);
}

TEST(IrGutterTest, BuffersThatAreNeverLiveTogetherShareALane) {
  IrGutter gutter = gutterOf(traceOf(4, {{BufferId(1), {{0, 2}}, {0}, {1}, {}},
                                         {BufferId(2), {{1, 4}}, {1}, {3}, {}},
                                         {BufferId(3), {{2, 4}}, {2}, {3}, {}}}));
  ASSERT_EQ(gutter.lanes.size(), 2U);
  ASSERT_EQ(gutter.lanes[0].live.size(), 2U);
  EXPECT_EQ(gutter.lanes[0].live[1].buffer, BufferId(3));
  EXPECT_EQ(gutter.lanes[0].live[0].end, gutter.lanes[0].live[1].begin);
}

TEST(IrGutterTest, BuffersBeyondTheLanesAreCounted) {
  std::vector<BufferLifetime> lifetimes;
  for (uint32_t id = 0; id != MaxGutterLanes + 5; ++id)
    lifetimes.push_back({BufferId(id), {{0, 3}}, {0}, {2}, {}});
  IrGutter gutter = gutterOf(traceOf(3, lifetimes));
  EXPECT_EQ(gutter.lanes.size(), MaxGutterLanes);
  EXPECT_EQ(gutter.hiddenBuffers, 5U);
}

TEST(IrGutterTest, PointsBeyondTheProgramEndWithTheFunction) {
  IrGutter gutter = gutterOf(traceOf(2, {{BufferId(1), {{-3, 99}}, {-1}, {98}, {}}}));
  ASSERT_EQ(gutter.lanes.size(), 1U);
  EXPECT_EQ(gutter.lanes[0].live[0].begin, 0U);
  EXPECT_EQ(gutter.lanes[0].live[0].end, 5U);
  EXPECT_EQ(gutter.lanes[0].marks.size(), 1U);
}

} // namespace
