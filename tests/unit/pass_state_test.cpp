// What the facets say of a function, joined. Run alone: unit_tests --gtest_filter='PassState*'
#include "core/session/pass_states.h"
#include "core/trace/pass_state.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

BufferRecord declared(uint32_t id, std::string name) {
  BufferRecord record;
  record.id = BufferId(id);
  record.key = {"f", name, 0, ""};
  record.name = std::move(name);
  record.dtype = "float32";
  record.shape = {"64"};
  return record;
}

template <typename T> SharedPart<T> part(std::vector<T> records) {
  return std::make_shared<const std::vector<T>>(std::move(records));
}

// f touches a and b and places a, g places c; d is a register tile.
Trace twoFunctions() {
  Trace trace;
  trace.header.target = "sm_80";
  trace.launches.resize(1);
  trace.launches[0].kernel = "g";
  trace.launches[0].threads = 256;
  TraceSnapshot snapshot;
  snapshot.buffers = part<BufferRecord>({declared(0, "a"), declared(1, "b"), declared(3, "d")});
  AccessRecord accesses{"f", {}, {}};
  accesses.program.buffers = {{BufferId(0), "a"}, {BufferId(1), "b"}};
  accesses.lifetimes.buffers = {{BufferId(1), {{2, 5}}, {2}, {4}, {}}};
  snapshot.accesses = part<AccessRecord>({accesses});
  ArenaRecord arena;
  arena.function = "f";
  arena.problem.buffers = {{.id = BufferId(0), .name = "a", .sizeBytes = 256}};
  arena.plan.placements = {{.id = BufferId(0), .offsetBytes = 64, .sizeBytes = 256}};
  ArenaRecord other;
  other.function = "g";
  other.launchSized = {{BufferId(2), "c", 1, 0, {}}};
  snapshot.arenas = part<ArenaRecord>({arena, other});
  trace.snapshots.push_back(snapshot);
  trace.passes.resize(2);
  return trace;
}

TEST(PassStateTest, FacetsOfAFunctionAreJoined) {
  Trace trace = twoFunctions();
  PassState state(trace, 0);
  ASSERT_EQ(state.functions().size(), 2U);
  const FunctionState &f = state.functions()[0], &g = state.functions()[1];
  EXPECT_EQ(f.accesses, &trace.snapshots[0].accesses->front());
  EXPECT_EQ(f.arena, &trace.snapshots[0].arenas->front());
  EXPECT_EQ(f.find(BufferId(0))->placement->offsetBytes, 64);
  EXPECT_EQ(f.find(BufferId(0))->type(), "float32 (64)");
  EXPECT_EQ(f.find(BufferId(0))->lifetime, nullptr);
  EXPECT_EQ(f.find(BufferId(1))->lifetime->intervals.front(), (LiveInterval{2, 5}));
  EXPECT_EQ(f.find(BufferId(1))->inArena, nullptr);
  EXPECT_EQ(f.find(BufferId(3)), nullptr);
  EXPECT_EQ(f.demand->threads, 0);
  EXPECT_EQ(g.accesses, nullptr);
  EXPECT_EQ(g.demand->threads, 256);
  EXPECT_EQ(g.find(BufferId(2))->launchSized->name, "c");
  EXPECT_EQ(g.find(BufferId(2))->declaration, nullptr);
  EXPECT_TRUE(state.textOf(g).points.empty());
  EXPECT_EQ(state.facets()->declaration(BufferId(3))->name, "d");
  EXPECT_EQ(state.facets()->find("g"), &g);
  EXPECT_EQ(state.facets()->find("h"), nullptr);
}

// Names of a corrupt trace need not differ.
TEST(PassStateTest, ASecondArenaOfANameIsAFunctionOfItsOwn) {
  Trace trace = twoFunctions();
  std::vector<ArenaRecord> arenas = *trace.snapshots[0].arenas;
  arenas[1].function = "f";
  trace.snapshots[0].arenas = part(arenas);
  PassState state(trace, 0);
  ASSERT_EQ(state.functions().size(), 2U);
  EXPECT_EQ(state.functions()[0].arena, &trace.snapshots[0].arenas->front());
  EXPECT_EQ(state.functions()[1].arena, &trace.snapshots[0].arenas->back());
  EXPECT_EQ(state.functions()[1].accesses, nullptr);
}

TEST(PassStateTest, APointThatNoLineNamesCountsToTheOneBefore) {
  Trace trace = twoFunctions();
  trace.lines.push_back({"    expect_tx(full)", StmtId(4), {}, {}});
  TraceSnapshot &snapshot = trace.snapshots[0];
  snapshot.lines = part<LineId>({LineId(0)});
  AccessRecord accesses = snapshot.accesses->front();
  AccessProgram &program = accesses.program;
  AccessNode sequence;
  for (uint32_t stmt : {4, 5}) {
    AccessNode leaf;
    leaf.kind = AccessNode::Kind::Leaf;
    leaf.stmt = StmtId(stmt);
    sequence.children.push_back(program.add(leaf));
  }
  program.root = program.add(sequence);
  snapshot.accesses = part<AccessRecord>({accesses});
  PassState state(trace, 0);
  const FunctionText &text = state.textOf(state.functions()[0]);
  ASSERT_EQ(text.points.size(), 2U);
  for (const TracePoint &point : text.points) {
    EXPECT_EQ(point.text, "expect_tx(full)");
    EXPECT_EQ(point.stmt, StmtId(4));
  }
}

TEST(PassStateTest, FacetsAreJoinedOnceForThePassesThatShareThem) {
  Trace trace = twoFunctions();
  trace.snapshots.push_back(trace.snapshots[0]);
  trace.snapshots[1].lines = part<LineId>({});
  trace.passes[1].snapshot = 1;
  Document document;
  document.trace = &trace;
  PassStates states;
  std::shared_ptr<const PassState> first = states.of(document, 0);
  EXPECT_EQ(states.of(document, 0), first);
  std::shared_ptr<const PassState> second = states.of(document, 1);
  EXPECT_NE(second, first);
  EXPECT_EQ(second->facets(), first->facets());
  // What is read of a pass after it was first shown counts.
  trace.snapshots[1].buffers = part<BufferRecord>({});
  EXPECT_EQ(states.of(document, 1)->facets()->declaration(BufferId(0)), nullptr);
  // Of another trace nothing is kept.
  document.revision = 1;
  EXPECT_NE(states.of(document, 0)->facets(), first->facets());
}

TEST(PassStateTest, FacetsOfAStepAreJoinedOnceThereAndBack) {
  Trace trace = twoFunctions();
  trace.snapshots.push_back(trace.snapshots[0]);
  trace.snapshots[1].buffers = part<BufferRecord>({});
  trace.passes[1].snapshot = 1;
  Document document;
  document.trace = &trace;
  document.ahead = {trace.snapshots[1]};
  PassStates states;
  auto first = states.of(document, 0)->facets();
  auto next = states.ahead(document, trace.snapshots[1]).get();
  EXPECT_EQ(states.ahead(document, trace.snapshots[1]).get(), next);
  document.ahead = {trace.snapshots[0]};
  EXPECT_EQ(states.of(document, 1)->facets(), next);
  EXPECT_EQ(states.ahead(document, trace.snapshots[0]).get(), first);
  EXPECT_EQ(states.of(document, 0)->facets(), first);
}

} // namespace
} // namespace tilescope
