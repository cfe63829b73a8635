// Run alone: unit_tests --gtest_filter='Lifetimes*'
#include "core/access/lifetimes.h"
#include "tests/unit/access_programs.h"

#include "gtest/gtest.h"

using namespace tilescope;
using namespace tilescope::test;

namespace {

using Intervals = std::vector<LiveInterval>;

std::string text(const Intervals &intervals) {
  std::string out;
  for (const LiveInterval &interval : intervals)
    out += "[" + std::to_string(interval.begin) + ", " + std::to_string(interval.end) + ")";
  return out;
}

std::string lifeOf(const AccessProgram &program, BufferId buffer) {
  return text(computeLifetimes(program).buffers[buffer.value].intervals);
}

TEST(LifetimesTest, PrintsProgramsAndNumbersLeaves) {
  AccessProgram program = pipelinedGemm(2);
  EXPECT_EQ(leavesInOrder(program).size(), 7U);
  EXPECT_EQ(toString(program), R"(Seq
  If s2: s0.k + 0 < trips
    Leaf s1: async write A_shared[0], async write B_shared[0]
  Commit s3
  Loop s0, trips [1, unknown]
    Seq
      Wait s4: pending 0
      Barrier s5
      If s7: s0.k + 1 < trips
        Leaf s6: async write A_shared[(s0.k + 1) mod 2], async write B_shared[(s0.k + 1) mod 2]
      Commit s8
      Leaf s9: read A_shared[(s0.k + 0) mod 2], read B_shared[(s0.k + 0) mod 2]
)");
}

TEST(LifetimesTest, StraightLineHasAHoleBetweenLastReadAndFullWrite) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  AccessProgram program = b.finish({b.leaf({write(x)}), b.leaf({read(x)}), b.leaf({write(y)}),
                                    b.leaf({read(y)}), b.leaf({write(x)}), b.leaf({read(x)})});
  EXPECT_EQ(lifeOf(program, x), "[0, 2)[4, 6)");
  EXPECT_EQ(lifeOf(program, y), "[2, 4)");
}

TEST(LifetimesTest, PartialWriteKeepsTheOldValue) {
  ProgramBuilder b;
  BufferId x = b.buffer("x");
  AccessProgram program = b.finish(
      {b.leaf({write(x)}), b.leaf({read(x)}), b.leaf({}), b.leaf({partial(x)}), b.leaf({read(x)})});
  EXPECT_EQ(lifeOf(program, x), "[0, 5)");
}

TEST(LifetimesTest, ConditionalWriteKeepsTheOldValue) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  AccessProgram program =
      b.finish({b.leaf({write(x), write(y)}), b.leaf({}), b.branch({b.leaf({write(x), write(y)})}),
                b.branch({b.leaf({}), b.leaf({write(y)})}), b.leaf({read(x)})});
  EXPECT_EQ(lifeOf(program, x), "[0, 6)");
  EXPECT_EQ(lifeOf(program, y), "[0, 1)[2, 3)[4, 5)");
}

TEST(LifetimesTest, WriteThatNobodyReadsOccupiesItsLeaf) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  AccessProgram program = b.finish({b.leaf({}), b.leaf({write(x)}), b.leaf({read(y)})});
  EXPECT_EQ(lifeOf(program, x), "[1, 2)");
  EXPECT_EQ(lifeOf(program, y), "");
}

TEST(LifetimesTest, ValueCarriedOverTheBackEdgeLivesInTheWholeLoop) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  uint32_t loop = b.loop(b.stmt(), 0, std::nullopt,
                         {b.leaf({write(y)}), b.leaf({read(y)}), b.leaf({read(x)}), b.leaf({})});
  AccessProgram program = b.finish({b.leaf({write(x)}), loop, b.leaf({})});
  EXPECT_EQ(lifeOf(program, x), "[0, 5)");
  EXPECT_EQ(lifeOf(program, y), "[1, 3)");
}

TEST(LifetimesTest, LoopThatRunsOnceHasNoBackEdge) {
  ProgramBuilder b;
  BufferId x = b.buffer("x");
  uint32_t loop = b.loop(b.stmt(), 1, 1, {b.leaf({read(x)}), b.leaf({})});
  EXPECT_EQ(lifeOf(b.finish({b.leaf({write(x)}), loop}), x), "[0, 2)");
}

TEST(LifetimesTest, AsynchronousWriteLastsUntilItsWait) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  AccessProgram program =
      b.finish({b.leaf({async(write(x))}), b.commit(), b.leaf({async(write(y))}), b.commit(),
                b.wait(1), b.leaf({}), b.wait(0), b.leaf({})});
  EXPECT_EQ(lifeOf(program, x), "[0, 5)");
  EXPECT_EQ(lifeOf(program, y), "[2, 7)");
  EXPECT_EQ(text(computeLifetimes(program).buffers[1].inFlight), "[2, 7)");
}

TEST(LifetimesTest, UncommittedWriteIsNotCoveredByAWait) {
  ProgramBuilder b;
  BufferId x = b.buffer("x");
  EXPECT_EQ(lifeOf(b.finish({b.leaf({async(write(x))}), b.wait(0), b.leaf({})}), x), "[0, 3)");
}

TEST(LifetimesTest, ConstantSlotsAreToldApart) {
  ProgramBuilder b;
  BufferId x = b.buffer("x", 2);
  AccessProgram program = b.finish({b.leaf({write(x, at(0))}), b.leaf({read(x, at(0))}), b.leaf({}),
                                    b.leaf({write(x, at(1))}), b.leaf({read(x, at(1))})});
  EXPECT_EQ(lifeOf(program, x), "[0, 2)[3, 5)");
  ProgramBuilder c;
  BufferId y = c.buffer("y", 2);
  EXPECT_EQ(
      lifeOf(c.finish({c.leaf({write(y, at(0))}), c.leaf({}), c.leaf({read(y, anySlot())})}), y),
      "[0, 3)");
}

TEST(LifetimesTest, SecondPipelineDoesNotKeepWhatTheFirstLeft) {
  for (std::optional<int64_t> maxTrips : {std::optional<int64_t>(), std::optional<int64_t>(7)}) {
    ProgramBuilder b;
    BufferId a = b.buffer("A", 3), c = b.buffer("C");
    std::vector<uint32_t> all;
    for (int copy = 0; copy != 2; ++copy) {
      StmtId loop = b.stmt();
      for (int64_t stage = 0; stage != 2; ++stage) {
        all.push_back(b.guarded(loop, stage, b.leaf({async(write(a, at(stage)))})));
        all.push_back(b.commit());
      }
      Slot next = inLoop(loop, 2, 3);
      all.push_back(
          b.loop(loop, 0, maxTrips,
                 {b.wait(1), b.barrier(), b.guarded(loop, 2, b.leaf({async(write(a, next))})),
                  b.commit(), b.leaf({read(a, inLoop(loop, 0, 3))})}));
      all.push_back(b.wait(0));
      all.push_back(b.leaf({write(c)}));
    }
    AccessProgram program = b.finish(all);
    // Dead at the first write of C (point 10) although slot 2 is refilled only inside the loop.
    EXPECT_EQ(lifeOf(program, a), "[0, 9)[11, 20)");
  }
}

TEST(LifetimesTest, RecordOfALoopEndsEarlierValues) {
  for (bool isRecorded : {false, true}) {
    ProgramBuilder b;
    BufferId a = b.buffer("A", 2);
    StmtId loop = b.stmt();
    uint32_t body =
        b.loop(loop, 1, std::nullopt,
               {b.leaf({partial(a, inLoop(loop, 0, 2))}), b.leaf({read(a, anySlot())})});
    if (isRecorded)
      b.program.nodes[body].redefinesAllSlots = {a};
    AccessProgram program = b.finish({b.leaf({write(a, at(0))}), b.leaf({}), body});
    EXPECT_EQ(lifeOf(program, a), isRecorded ? "[0, 1)[2, 4)" : "[0, 4)");
  }
}

TEST(LifetimesTest, ConcurrentRolesKeepWhatTheyTouch) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  uint32_t roles = b.roles({b.seq({b.leaf({write(x)}), b.leaf({read(x)}), b.leaf({})}),
                            b.seq({b.leaf({}), b.leaf({write(y)})})});
  AccessProgram program = b.finish({b.leaf({}), roles, b.leaf({})});
  EXPECT_EQ(lifeOf(program, x), "[1, 3)");
  EXPECT_EQ(lifeOf(program, y), "[1, 6)");
}

TEST(LifetimesTest, OneRoleHandsBytesFromOneOfItsBuffersToTheNext) {
  ProgramBuilder b;
  BufferId k = b.buffer("k"), q = b.buffer("q"), o = b.buffer("o");
  uint32_t roles = b.lanes(
      {b.seq({b.leaf({write(k)})}), b.seq({b.leaf({read(k), read(q)}), b.leaf({write(o)})})},
      {0, 0});
  uint32_t first = b.leaf({write(q)}), last = b.leaf({read(o)});
  AccessProgram program = b.finish({first, b.barrier(), roles, b.barrier(), last});
  EXPECT_EQ(lifeOf(program, k), "[2, 5)");
  EXPECT_EQ(lifeOf(program, q), "[0, 2)[3, 4)");
  EXPECT_EQ(lifeOf(program, o), "[4, 7)");
  // Nobody meets: some threads are already behind the roles, others not yet there.
  AccessProgram apart = b.finish({first, roles, last});
  for (BufferId buffer : {k, q, o})
    EXPECT_EQ(lifeOf(apart, buffer), "[0, 5)");
}

TEST(LifetimesTest, WaitsCoverTheirQueueAlone) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  AccessProgram program =
      b.finish({b.leaf({async(write(x), 1), async(read(y), 2)}), b.commit(1), b.commit(2),
                b.wait(0, 2), b.leaf({}), b.wait(0, 1), b.leaf({})});
  EXPECT_EQ(lifeOf(program, x), "[0, 6)");
  EXPECT_EQ(lifeOf(program, y), "[0, 4)");
  EXPECT_NE(toString(program).find("async queue 1 write x"), std::string::npos);
}

TEST(LifetimesTest, AttentionKeepsAllSlotsAndHandsQueryBytesToTheOutput) {
  AccessProgram program = attentionForward(2);
  Lifetimes lifetimes = computeLifetimes(program);
  // Q from its copy to the last point of the loop, O after it.
  ASSERT_EQ(lifetimes.pointCount, 21);
  EXPECT_EQ(lifeOf(program, BufferId(0)), "[0, 17)");
  EXPECT_EQ(lifeOf(program, BufferId(3)), "[18, 21)");
}

} // namespace
