// What each role does in which iteration: rings of copies by hand, and random ones against all
// orders of their threads. Run alone: unit_tests --gtest_filter='RoleLoops*'
#include "core/stages/role_loops.h"

#include "tests/unit/random_seeds.h"
#include "tests/unit/role_machine.h"
#include "tests/unit/role_programs.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

namespace tilescope::test {
namespace {

using Kind = AccessNode::Kind;
using Lines = std::vector<std::string>;

// All loops of a program count as pipelined.
struct LoopsOfRoles {
  TraceSnapshot snapshot;
  std::vector<RoleLoop> loops; // by lane

  explicit LoopsOfRoles(const AccessProgram &program) {
    std::vector<PipelineRecord> pipelines;
    for (const AccessNode &node : program.nodes)
      if (node.kind == Kind::Loop)
        pipelines.emplace_back().loop = node.stmt;
    AccessRecord accesses{"kernel", program, {}};
    snapshot.accesses = std::make_shared<std::vector<AccessRecord>>(1, accesses);
    snapshot.pipelines = std::make_shared<std::vector<PipelineRecord>>(pipelines);
    loops = roleLoopsOf(snapshot);
    llvm::stable_sort(loops, [](const RoleLoop &a, const RoleLoop &b) { return a.lane < b.lane; });
  }
};

// "2- 3- 2.0 3?": mbarriers and phases, iteration by iteration; "0s1" of a copy that mbarrier 0
// counts, to slot 1. "@3" before what is not of the next iteration.
std::string lineOf(const RoleRow &row) {
  std::string line;
  int64_t next = 0;
  for (const RoleStep &step : row.steps) {
    line += line.empty() ? "" : " ";
    if (step.iteration != next)
      line += "@" + std::to_string(step.iteration) + " ";
    next = step.iteration + 1;
    if (step.mbarrier)
      line += std::to_string(*step.mbarrier);
    if (row.access != RoleRow::NoAccess)
      line += "s" + (step.slot ? std::to_string(*step.slot) : "?");
    else
      line += step.passesAtOnce ? "-" : step.phase ? "." + std::to_string(*step.phase) : "?";
  }
  return line;
}

Lines linesOf(const RoleLoop &loop) {
  Lines lines;
  for (const RoleRow &row : loop.rows)
    lines.push_back(lineOf(row));
  return lines;
}

Lines linesOf(const AccessProgram &program, size_t lane) {
  LoopsOfRoles found(program);
  EXPECT_EQ(found.loops.size(), 2U);
  return linesOf(found.loops[lane]);
}

AccessNode &nodeOf(AccessProgram &program, Kind kind, size_t number = 0) {
  for (AccessNode &node : program.nodes)
    if (node.kind == kind && number-- == 0)
      return node;
  ADD_FAILURE() << "no such node";
  return program.nodes[0];
}

TEST(RoleLoops, ARingIsFilledAndReadPhaseByPhase) {
  LoopsOfRoles found(ring({.slots = 2, .trips = 5, .loaders = 1, .readers = 2}));
  ASSERT_EQ(found.loops.size(), 2U);
  const RoleLoop &loads = found.loops[0], &reads = found.loops[1];
  EXPECT_EQ(loads.laneCount, 2U);
  EXPECT_EQ(loads.threads, 1);
  EXPECT_EQ(reads.threads, 2);
  EXPECT_EQ(loads.trips, 5);
  // Waits, expects, arrives, copies.
  EXPECT_EQ(linesOf(loads), (Lines{"2- 3- 2.0 3.0 2.1", "0.0 1.0 0.1 1.1 0.2",
                                   "0.0 1.0 0.1 1.1 0.2", "0s0 1s1 0s0 1s1 0s0"}));
  // Waits, reads, and both threads arrive.
  EXPECT_EQ(linesOf(reads),
            (Lines{"0.0 1.0 0.1 1.1 0.2", "s0 s1 s0 s1 s0", "2.0 3.0 2.1 3.1 2.2"}));
}

TEST(RoleLoops, LoopsThatStandInNoRoleAreNotAmongThem) {
  AccessProgram plain = pipelinedGemm(3);
  EXPECT_TRUE(LoopsOfRoles(plain).loops.empty());
  EXPECT_FALSE(isInRole(plain, nodeOf(plain, Kind::Loop).stmt));
  AccessProgram roles = ring({});
  EXPECT_TRUE(isInRole(roles, nodeOf(roles, Kind::Loop).stmt));
  EXPECT_FALSE(isInRole(roles, StmtId(1000)));
  EXPECT_FALSE(isInRole({}, StmtId(0)));
}

TEST(RoleLoops, TheFirstIterationsStandForAnUnknownNumber) {
  AccessProgram program = ring({.slots = 2, .trips = 5});
  for (size_t number : {0, 1})
    nodeOf(program, Kind::Loop, number).maxTrips.reset();
  LoopsOfRoles found(program);
  for (const RoleLoop &loop : found.loops) {
    EXPECT_FALSE(loop.trips);
    for (const RoleRow &row : loop.rows)
      EXPECT_EQ(row.steps.size(), 8U);
  }
  EXPECT_EQ(lineOf(found.loops[0].rows[0]), "2- 3- 2.0 3.0 2.1 3.1 2.2 3.2");
}

TEST(RoleLoops, AStatementOfTheFirstIterationHasOneStep) {
  Lines lines = linesOf(ring({.slots = 2, .trips = 3, .loadsQuery = true}), 1);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[1], "4.0");
  EXPECT_EQ(lines[2], "s0 s0 s0");
}

TEST(RoleLoops, AStatementOfLaterIterationsSaysWhich) {
  AccessProgram program = ring({.slots = 2, .trips = 3, .loadsQuery = true});
  AccessNode &range = nodeOf(program, Kind::If);
  range.rangeBegin = 2;
  range.rangeEnd = 3;
  EXPECT_EQ(linesOf(program, 1)[1], "@2 4.0");
}

TEST(RoleLoops, AnUnknownParityLeavesTheWaitOpenAlone) {
  AccessProgram program = ring({.slots = 2, .trips = 3});
  nodeOf(program, Kind::WaitPhase).parity.divisor = 0;
  EXPECT_EQ(linesOf(program, 0), (Lines{"2? 3? 2?", "0.0 1.0 0.1", "0.0 1.0 0.1", "0s0 1s1 0s0"}));
}

// It may be any.
TEST(RoleLoops, AnUnknownMbarrierLeavesAllPhasesOpen) {
  AccessProgram program = ring({.slots = 2, .trips = 2});
  nodeOf(program, Kind::Arrive, 1).mbarrier->modulus = 0;
  EXPECT_EQ(linesOf(program, 0), (Lines{"2? 3?", "0? 1?", "0? 1?", "0s0 1s1"}));
  EXPECT_EQ(linesOf(program, 1), (Lines{"0? 1?", "s0 s1", "? ?"}));
}

// So may it be in a loop whose length is not known, unless nothing waits or arrives there.
TEST(RoleLoops, WhatCannotBeFollowedLeavesPhasesOpenIfItUsesMbarriers) {
  for (bool usesThem : {true, false}) {
    ProgramBuilder b;
    uint32_t m = b.mbarrier(1);
    StmtId loop = b.stmt();
    BufferId tile = b.buffer("tile");
    uint32_t arrives = b.loop(loop, 2, 2, {b.arrive({m})});
    uint32_t inside = usesThem ? b.waitPhase({m}, {}) : b.leaf({read(tile)});
    uint32_t other = b.branch({inside});
    AccessProgram program = b.finish({b.lanes({b.seq({arrives}), b.seq({other})}, {1, 1})});
    LoopsOfRoles found(program);
    ASSERT_EQ(found.loops.size(), 1U);
    EXPECT_EQ(linesOf(found.loops[0]), (Lines{usesThem ? "0? 0?" : "0.0 0.1"}));
  }
}

TEST(RoleLoops, ArrivalsOfSeveralRolesAreNotCounted) {
  ProgramBuilder b;
  uint32_t m = b.mbarrier(2);
  StmtId first = b.stmt(), second = b.stmt();
  uint32_t arrives = b.seq({b.loop(first, 3, 3, {b.arrive({m})})});
  uint32_t waits =
      b.seq({b.loop(second, 3, 3, {b.arrive({m}), b.waitPhase({m}, phaseOf(second, 1))})});
  AccessProgram program = b.finish({b.lanes({arrives, waits}, {1, 1})});
  EXPECT_EQ(linesOf(program, 0), (Lines{"0? 0? 0?"}));
  // Who waits sees each phase end all the same.
  EXPECT_EQ(linesOf(program, 1), (Lines{"0? 0? 0?", "0.0 0.1 0.2"}));
}

TEST(RoleLoops, AllThreadsArriveOutsideOfTheRoles) {
  for (bool isKnown : {true, false}) {
    ProgramBuilder b;
    uint32_t m = b.mbarrier(2);
    StmtId loop = b.stmt();
    uint32_t before = b.arrive({m});
    uint32_t arrives = b.seq({b.loop(loop, 2, 2, {b.arrive({m})})});
    uint32_t nothing = b.seq({b.waitPhase({m}, {})});
    b.program.threads = isKnown ? 4 : 0;
    AccessProgram program = b.finish({before, b.lanes({arrives, nothing}, {2, 2})});
    LoopsOfRoles found(program);
    ASSERT_EQ(found.loops.size(), 1U);
    EXPECT_EQ(linesOf(found.loops[0]), (Lines{isKnown ? "0.2 0.3" : "0? 0?"}));
  }
}

TEST(RoleLoops, WhatFollowsAnUnknownNumberOfArrivalsIsNotCounted) {
  AccessProgram program = ring({.slots = 1, .trips = 3});
  nodeOf(program, Kind::Arrive, 1).count = 0;
  EXPECT_EQ(linesOf(program, 1)[2], "1.0 1? 1?");
  program = ring({.slots = 1, .trips = 3});
  program.mbarriers[1].arrivals = 0;
  EXPECT_EQ(linesOf(program, 1)[2], "1? 1? 1?");
}

// A loop around runs it again, and a loop in it has iterations of its own.
TEST(RoleLoops, RowsAreOfTheFirstRunAndOfNoInnerLoop) {
  ProgramBuilder b;
  uint32_t m = b.mbarrier(1), n = b.mbarrier(1);
  StmtId around = b.stmt(), loop = b.stmt(), inner = b.stmt();
  uint32_t body = b.loop(loop, 3, 3, {b.arrive({m}), b.loop(inner, 2, 2, {b.arrive({n})})});
  uint32_t other = b.waitPhase({m}, {});
  AccessProgram program =
      b.finish({b.lanes({b.seq({b.loop(around, 2, 2, {body})}), b.seq({other})}, {1, 1})});
  std::vector<Lines> rows;
  for (const RoleLoop &found : LoopsOfRoles(program).loops)
    rows.push_back(linesOf(found));
  llvm::sort(rows);
  // The loop around has no statement of its own; the inner one runs first in iteration 0.
  EXPECT_EQ(rows, (std::vector<Lines>{{}, {"0.0 0.1 0.2"}, {"1.0 1.1"}}));
}

TEST(RoleLoops, AProgramThatCannotBeFollowedSaysWhy) {
  AccessProgram program = ring({});
  ++program.threads;
  for (const RoleLoop &loop : LoopsOfRoles(program).loops) {
    EXPECT_EQ(loop.refusal, "its lanes have not as many threads as the block");
    EXPECT_TRUE(loop.rows.empty());
  }
  ProgramBuilder b;
  StmtId loop = b.stmt();
  BufferId tile = b.buffer("tile");
  std::vector<uint32_t> body = {b.namedBarrier(1, 1)};
  for (int count = 0; count != 300; ++count)
    body.push_back(b.leaf({read(tile)}));
  uint32_t other = b.seq({b.leaf({})});
  LoopsOfRoles large(b.finish({b.lanes({b.seq({b.loop(loop, 2, 2, body)}), other}, {1, 1})}));
  ASSERT_EQ(large.loops.size(), 1U);
  EXPECT_EQ(large.loops[0].refusal, "the loop is too large to be unrolled");
  EXPECT_TRUE(large.loops[0].rows.empty());
}

// ---- Against all orders -------------------------------------------------------------------------

// Wrong: a wait that passes though its phase goes on, or does not pass though it has ended, or
// though it passes at once; what is of another phase than its row says.
class PhasesInEveryOrder : public RoleMachine {
public:
  PhasesInEveryOrder(const AccessProgram &program, const std::vector<RoleLoop> &loops)
      : RoleMachine(program), loops_(loops) {}

private:
  bool isWrong(const State &state, size_t thread) const override {
    const Event &event = eventOf(state, thread);
    const RoleStep *step = stepOf(threads[thread].lane, state.at[thread]);
    if (!step || !nodeOf(event).mbarrier)
      return false;
    int64_t ended = state.mbarriers[event.mbarrier].ended;
    bool passes = ended % 2 != event.parity;
    if (step->mbarrier != static_cast<int>(event.mbarrier) || (!step->passesAtOnce && !step->phase))
      return true;
    if (step->passesAtOnce)
      return !passes;
    return nodeOf(event).kind == Kind::WaitPhase ? passes != (ended > *step->phase)
                                                 : ended != *step->phase;
  }

  // Of an event of the loop; the n-th time that a lane comes to a statement is its n-th step.
  const RoleStep *stepOf(size_t lane, size_t at) const {
    uint32_t node = events[lists[lane][at]].node;
    size_t number = 0;
    for (size_t before = 0; before != at; ++before)
      number += events[lists[lane][before]].node == node;
    for (const RoleLoop &loop : loops_)
      for (const RoleRow &row : loop.rows)
        if (loop.lane == lane && row.node == node && row.access == RoleRow::NoAccess)
          return &row.steps.at(number);
    return nullptr;
  }

  const std::vector<RoleLoop> &loops_;
};

TEST(RoleLoops, PhasesOfRandomRingsHoldInEveryOrder) {
  for (unsigned seed = 0; seed != seedsOf(60); ++seed) {
    std::mt19937 random(seed);
    RingShape shape = randomShape(random);
    // Of two threads that wait where one loads, the other may come so late that more has ended.
    shape.loaders = 1;
    AccessProgram program = ring(shape);
    LoopsOfRoles found(program);
    ASSERT_EQ(found.loops.size(), 2U);
    EXPECT_FALSE(PhasesInEveryOrder(program, found.loops).canGoWrong()) << "seed " << seed << "\n"
                                                                        << toString(program);
  }
}

// The check above finds a phase that is off by one.
TEST(RoleLoops, AWrongPhaseDoesNotHold) {
  AccessProgram program = ring({.slots = 1, .trips = 2});
  LoopsOfRoles found(program);
  for (RoleLoop &loop : found.loops)
    for (RoleRow &row : loop.rows)
      for (RoleStep &step : row.steps) {
        if (!step.phase)
          continue;
        ++*step.phase;
        EXPECT_TRUE(PhasesInEveryOrder(program, found.loops).canGoWrong()) << lineOf(row);
        --*step.phase;
      }
}

} // namespace
} // namespace tilescope::test
