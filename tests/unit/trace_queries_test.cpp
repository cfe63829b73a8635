// Run alone: unit_tests --gtest_filter='TraceQueries*'
#include "core/trace/pass_state.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

using Kind = AccessNode::Kind;

AccessNode node(Kind kind, uint32_t stmt, std::vector<uint32_t> children = {}) {
  AccessNode result;
  result.kind = kind;
  result.stmt = StmtId(stmt);
  result.children = std::move(children);
  return result;
}

// leaf 10; loop 20 { leaf 11; loop 21 { leaf 12; barrier 13 } ; loop 22 { } }; leaf 14
AccessProgram nestedLoops() {
  AccessProgram program;
  program.nodes = {node(Kind::Seq, 0, {1, 2, 9}), node(Kind::Leaf, 10),   node(Kind::Loop, 20, {3}),
                   node(Kind::Seq, 0, {4, 5, 8}), node(Kind::Leaf, 11),   node(Kind::Loop, 21, {6}),
                   node(Kind::Seq, 0, {7, 10}),   node(Kind::Leaf, 12),   node(Kind::Loop, 22),
                   node(Kind::Leaf, 14),          node(Kind::Barrier, 13)};
  return program;
}

Trace traceOf(std::vector<TraceLine> lines) {
  Trace trace;
  std::vector<LineId> ids;
  for (LineId id = 0; id != lines.size(); ++id)
    ids.push_back(id);
  trace.lines = std::move(lines);
  trace.snapshots.emplace_back().lines = std::make_shared<const std::vector<LineId>>(ids);
  trace.header.fileText = "first\n\n  third  \r\nlast";
  return trace;
}

// After the only pass.
void addProgram(Trace &trace, AccessProgram program) {
  trace.passes.emplace_back();
  trace.snapshots[0].accesses = std::make_shared<const std::vector<AccessRecord>>(
      1, AccessRecord{"kernel", std::move(program), {}});
}

TEST(TraceQueriesTest, PointsAreTheFirstLinesOfTheirStatements) {
  Trace trace = traceOf({{"    T.copy(A, B)", StmtId(10), {}, {FileId(0), 3, 1, 3, 9}},
                         {"    of it", StmtId(10), {}, {}}});
  addProgram(trace, nestedLoops());
  PassState state(trace, 0);
  const std::vector<TracePoint> &points = state.textOf(state.functions()[0]).points;
  ASSERT_EQ(points.size(), 5U);
  EXPECT_EQ(points[0].text, "T.copy(A, B)");
  EXPECT_EQ(points[0].sourceLine, 3U);
  // Statements that no line names count to the one before.
  EXPECT_EQ(points[1].text, "T.copy(A, B)");
  EXPECT_EQ(points[3].stmt, StmtId(10));
  EXPECT_EQ(state.textOf(state.functions()[0]).irLines, (std::vector<uint32_t>{1, 1, 1, 1, 1}));
}

TEST(TraceQueriesTest, LoopsCoverTheirPoints) {
  Trace trace = traceOf({{"  for k in T.serial(0, 4):", StmtId(21), {}, {FileId(0), 7, 1, 7, 9}}});
  addProgram(trace, nestedLoops());
  PassState state(trace, 0);
  const std::vector<TraceLoop> &loops = state.textOf(state.functions()[0]).loops;
  ASSERT_EQ(loops.size(), 2U); // an empty loop covers nothing
  EXPECT_EQ(loops[0].stmt, StmtId(20));
  EXPECT_EQ(loops[0].begin, 1);
  EXPECT_EQ(loops[0].end, 4);
  EXPECT_EQ(loops[0].depth, 0);
  EXPECT_EQ(loops[1].begin, 2);
  EXPECT_EQ(loops[1].end, 4);
  EXPECT_EQ(loops[1].depth, 1);
  EXPECT_EQ(loops[1].text, "for k in T.serial(0, 4):");
  EXPECT_EQ(loops[1].sourceLine, 7U);
}

TEST(TraceQueriesTest, SourceLinesAreTrimmed) {
  Trace trace = traceOf({});
  EXPECT_EQ(sourceLinesOf(trace), (std::vector<llvm::StringRef>{"first", "", "third", "last"}));
}

TEST(TraceQueriesTest, DemandCountsStaticBytesAndThreads) {
  const Target &sm80 = *llvm::cantFail(findTarget("sm_80"));
  Trace trace = traceOf({});
  ArenaRecord arena;
  arena.function = "f";
  arena.plan.heightBytes = 4096;
  arena.problem.capacityBytes = sm80.sharedBytesPerBlock - 1000;
  BlockDemand demand = demandOf(trace, arena, sm80);
  EXPECT_EQ(demand.dynamicBytes, 4096);
  EXPECT_EQ(demand.staticBytes, 1000);
  EXPECT_EQ(demand.threads, 0);
  trace.launches.resize(2);
  trace.launches[1].kernel = "f";
  trace.launches[1].threads = 256;
  EXPECT_EQ(demandOf(trace, arena, sm80).threads, 256);
  arena.problem.capacityBytes = 0; // unlimited
  EXPECT_EQ(demandOf(trace, arena, sm80).staticBytes, 0);
  EXPECT_EQ(demandOf(trace, arena, sm80).registersOfThread, 0);
  DeviceListing device;
  device.kernels = {{.kernel = "g", .registers = 64}, {.kernel = "f", .registers = 200}};
  trace.device = std::make_shared<const DeviceListing>(device);
  EXPECT_EQ(demandOf(trace, arena, sm80).registersOfThread, 200);
}

TEST(TraceQueriesTest, PeakIsThePointOfTheCertificateOrTheLargestLiveSet) {
  ArenaRecord arena;
  ArenaBuffer buffer;
  buffer.sizeBytes = 64;
  buffer.live = {{0, 4}, {6, 9}};
  arena.problem.buffers = {buffer, buffer};
  arena.problem.buffers[1].live = {{4, 8}};
  EXPECT_EQ(peakPoint(arena), 6);
  arena.plan.certificate.kind = ProofKind::LiveAtPoint;
  arena.plan.certificate.point = 7;
  EXPECT_EQ(peakPoint(arena), 7);
  EXPECT_TRUE(contains(arena.problem.buffers[0].live, 3));
  EXPECT_FALSE(contains(arena.problem.buffers[0].live, 4));
}

TEST(TraceQueriesTest, PassesOfOneNameAreToldApart) {
  Trace trace;
  for (const char *name : {"elaborate", "simplify", "vectorize", "simplify"})
    trace.passes.push_back({name, "", 0, PassStatus::Changed, 0});
  EXPECT_EQ(passPlace(trace, 1), "simplify");
  EXPECT_EQ(passPlace(trace, 3), "simplify#2");
  EXPECT_EQ(passOfPlace(trace, "simplify"), 3U); // the last of the name
  EXPECT_EQ(passOfPlace(trace, "simplify#2"), 3U);
  EXPECT_EQ(passOfPlace(trace, "simplify#1"), 1U);
  EXPECT_EQ(passOfPlace(trace, "vectorize"), 2U);
  EXPECT_EQ(passOfPlace(trace, "simplify#3"), std::nullopt);
  EXPECT_EQ(placeToFind(trace, 1), "simplify#1");
  EXPECT_EQ(placeToFind(trace, 2), "vectorize");
  EXPECT_EQ(placeToFind(trace, 3), "simplify#2");
}

} // namespace
