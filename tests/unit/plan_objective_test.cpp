// Run alone: unit_tests --gtest_filter='PlanObjective*'
#include "core/check/plan_check.h"
#include "core/plan/planner.h"
#include "tests/unit/arena_problems.h"
#include "tests/unit/chosen_plans.h"
#include "tests/unit/random_programs.h"

#include "gtest/gtest.h"

using namespace tilescope;
using namespace tilescope::test;

namespace {

//   early  |####    |     `last` is read right before `late` is written: only `early` has a barrier
//   last   |#####   |     behind it. In order of allocation, `late` falls on `last`.
//   late   |     ###|
AccessProgram twoDieOneIsBorn() {
  ProgramBuilder b;
  BufferId last = b.buffer("last"), early = b.buffer("early"), late = b.buffer("late");
  return b.finish({b.leaf({write(last)}), b.leaf({write(early)}), b.barrier(),
                   b.leaf({read(early)}), b.barrier(), b.leaf({read(last)}), b.leaf({write(late)}),
                   b.barrier(), b.leaf({read(late)})});
}

TEST(PlanObjectiveTest, OfEqualHeightsFewerBarriersWin) {
  Chosen chosen(twoDieOneIsBorn(), 64);
  ASSERT_EQ(chosen.barriersOf(chosen.least).sites.size(), 1U);
  chosen.choose();
  EXPECT_EQ(chosen.plan.heightBytes, 128);
  EXPECT_TRUE(chosen.plan.isLeast());
  EXPECT_TRUE(chosen.share(chosen.plan, BufferId(1), BufferId(2)));
  EXPECT_EQ(chosen.barriersOf(chosen.plan).sites.size(), 0U);
  EXPECT_EQ(chosen.barriers, 0U);
}

//           before    | loop                 In the loop `first` and `second` could take the same
//   p, z  |########   |                      bytes, at a barrier an iteration, or those of p and z,
//   first        |    | ##                   at one barrier before the loop.
//   second       |    |   ##
AccessProgram twoInALoop() {
  ProgramBuilder b;
  BufferId p = b.buffer("p"), z = b.buffer("z");
  BufferId first = b.buffer("first"), second = b.buffer("second");
  StmtId loop = b.stmt();
  return b.finish(
      {b.leaf({write(p), write(z)}), b.barrier(), b.leaf({read(p), read(z)}),
       b.loop(loop, 1, std::nullopt,
              {b.leaf({write(first)}), b.barrier(), b.leaf({read(first)}), b.leaf({write(second)}),
               b.barrier(), b.leaf({read(second)}), b.barrier()})});
}

TEST(PlanObjectiveTest, BarrierInALoopWeighsAsMuchAsItsPasses) {
  Chosen chosen(twoInALoop(), 64);
  ASSERT_TRUE(chosen.share(chosen.least, BufferId(2), BufferId(3)));
  ASSERT_EQ(chosen.runsOf(chosen.least), 17);
  chosen.choose();
  EXPECT_EQ(chosen.plan.heightBytes, 128);
  EXPECT_FALSE(chosen.share(chosen.plan, BufferId(2), BufferId(3)));
  EXPECT_EQ(chosen.runsOf(chosen.plan), 1);
}

TEST(PlanObjectiveTest, HeightComesBeforeBarriers) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  Chosen chosen(b.finish({b.leaf({write(x)}), b.barrier(), b.leaf({read(x)}), b.leaf({write(y)}),
                          b.barrier(), b.leaf({read(y)})}),
                64);
  chosen.choose();
  EXPECT_EQ(chosen.plan, chosen.least);
  EXPECT_EQ(chosen.plan.heightBytes, 64);
  EXPECT_EQ(chosen.barriers, 1U);

  // Up to a given height they come first.
  chosen.objective.highestBytes = 127;
  chosen.choose();
  EXPECT_EQ(chosen.plan.heightBytes, 64);
  chosen.objective.highestBytes = 200;
  chosen.choose();
  EXPECT_EQ(chosen.plan.heightBytes, 128);
  EXPECT_EQ(chosen.barriers, 0U);
  EXPECT_FALSE(chosen.plan.isLeast());
  EXPECT_STREQ(proofWord(chosen.plan), "gap");
  EXPECT_EQ(chosen.plan.certificate.boundBytes, 64);
}

TEST(PlanObjectiveTest, NoHigherThanFewerBarriersNeed) {
  // Three that follow each other, a barrier behind the first only.
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y"), z = b.buffer("z");
  Chosen chosen(
      b.finish({b.leaf({write(x)}), b.barrier(), b.leaf({read(x)}), b.leaf({write(y)}), b.barrier(),
                b.leaf({read(y)}), b.leaf({write(z)}), b.barrier(), b.leaf({read(z)})}),
      64);
  ASSERT_EQ(chosen.runsOf(chosen.least), 2);
  chosen.objective.highestBytes = 1024;
  chosen.choose();
  EXPECT_EQ(chosen.plan.heightBytes, 128);
  EXPECT_EQ(chosen.runsOf(chosen.plan), 0);
  EXPECT_TRUE(chosen.share(chosen.plan, x, z));
  // With nothing to gain it is not higher at all.
  chosen.objective.reuseHazards = nullptr;
  chosen.choose();
  EXPECT_EQ(chosen.plan, chosen.least);
}

TEST(PlanObjectiveTest, HazardThatNoBarrierCanResolveIsAvoided) {
  ProgramBuilder b;
  BufferId last = b.buffer("last"), early = b.buffer("early"), late = b.buffer("late");
  uint32_t inside =
      b.branch({b.seq({b.leaf({read(last)}), b.leaf({write(late)}), b.namedBarrier(1, 64)})});
  b.program.nodes[inside].isDivergent = true;
  Chosen chosen(b.finish({b.leaf({write(last)}), b.leaf({write(early)}), b.barrier(),
                          b.leaf({read(early)}), b.barrier(), inside}),
                64);
  ASSERT_FALSE(chosen.barriersOf(chosen.least).unsolved.empty());
  chosen.choose();
  EXPECT_TRUE(chosen.barriersOf(chosen.plan).unsolved.empty());
  EXPECT_EQ(chosen.plan.heightBytes, 128);
}

// Two buffers, then two others; with a barrier between, any sharing is free.
AccessProgram twoAndTwo() {
  ProgramBuilder b;
  BufferId first = b.buffer("a"), second = b.buffer("b");
  BufferId third = b.buffer("c"), fourth = b.buffer("d");
  return b.finish({b.leaf({write(first), write(second)}), b.barrier(),
                   b.leaf({read(first), read(second)}), b.barrier(),
                   b.leaf({write(third), write(fourth)}), b.barrier(),
                   b.leaf({read(third), read(fourth)})});
}

TEST(PlanObjectiveTest, BuffersStayWhereTheyLayIfThatIsFree) {
  Chosen chosen(twoAndTwo(), 64);
  // Of `c` nothing is known: it takes what is left.
  chosen.objective.previousOffsets = {64, 0, std::nullopt, 0};
  chosen.choose();
  EXPECT_EQ(chosen.plan.heightBytes, 128);
  EXPECT_EQ(chosen.plan.placements[0].offsetBytes, 64);
  EXPECT_EQ(chosen.plan.placements[1].offsetBytes, 0);
  EXPECT_EQ(chosen.plan.placements[2].offsetBytes, 64);
  EXPECT_EQ(chosen.plan.placements[3].offsetBytes, 0);
}

TEST(PlanObjectiveTest, OldPlacesThatCannotBeAreLeft) {
  // Over `a`, too high, not aligned, below zero, out of all bounds.
  for (int64_t place : {int64_t(0), int64_t(128), int64_t(8), int64_t(-64), INT64_MAX}) {
    Chosen chosen(twoAndTwo(), 64);
    chosen.objective.previousOffsets = {0, place, 64, 0};
    chosen.choose();
    EXPECT_EQ(chosen.plan.heightBytes, 128) << place;
    EXPECT_EQ(chosen.plan.placements[0].offsetBytes, 0) << place;
    EXPECT_EQ(chosen.plan.placements[1].offsetBytes, 64) << place;
    EXPECT_EQ(chosen.plan.placements[2].offsetBytes, 64) << place;
    EXPECT_EQ(chosen.plan.placements[3].offsetBytes, 0) << place;
  }
}

TEST(PlanObjectiveTest, BarriersComeBeforeOldPlaces) {
  Chosen chosen(twoDieOneIsBorn(), 64);
  // Where the least plan, which needs a barrier, has them.
  for (const Placement &placement : chosen.least.placements)
    chosen.objective.previousOffsets.push_back(placement.offsetBytes);
  chosen.choose();
  EXPECT_EQ(chosen.barriers, 0U);
  // One of three has to move: `late`, or one of the others and all that lies with it.
  int moved = 0;
  for (size_t buffer = 0; buffer != 3; ++buffer)
    moved += chosen.plan.placements[buffer].offsetBytes != chosen.objective.previousOffsets[buffer];
  EXPECT_EQ(moved, 1);
}

int64_t paddingOf(const ArenaPlan &plan) {
  int64_t bytes = 0;
  for (const Placement &placement : plan.placements)
    bytes += placement.paddingBytes;
  return bytes;
}

TEST(PlanObjectiveTest, OfEqualHeightsLessPaddingWins) {
  ArenaProblem problem =
      number({box("a", 16, {{0, 4}}, 16), box("b", 32, {{0, 2}}, 32), box("c", 96, {{2, 4}}, 16)});
  ArenaPlan least = planArena(problem);
  ASSERT_EQ(paddingOf(least), 16);
  ArenaPlan plan = choosePlan(problem, least, {}).plan;
  EXPECT_EQ(checkPlan(problem, plan), std::vector<std::string>());
  EXPECT_EQ(plan.heightBytes, least.heightBytes);
  EXPECT_EQ(paddingOf(plan), 0);
}

AccessProgram randomProgram(unsigned seed) {
  AccessProgram program = RandomProgram(seed, seed % 2 == 0, 8).make();
  return insertBarriers(program, planBarriers(program, {}));
}

// What every compile relies on: never higher, never more barriers, always sound.
TEST(PlanObjectiveTest, RandomProgramsNeedNoMoreBarriersThanTheirLeastPlans) {
  int fewer = 0, fewerAbove = 0, higher = 0;
  for (unsigned seed = 0; seed != 1500; ++seed) {
    Chosen chosen(randomProgram(seed), int64_t(16) * (1 + seed % 3));
    double before = chosen.runsOf(chosen.least);
    chosen.choose();
    double after = chosen.runsOf(chosen.plan);
    EXPECT_EQ(chosen.plan.heightBytes, chosen.least.heightBytes) << "seed " << seed;
    EXPECT_LE(after, before) << "seed " << seed << "\n" << toString(chosen.program);
    EXPECT_EQ(chosen.barriers, chosen.barriersOf(chosen.plan).sites.size()) << "seed " << seed;
    fewer += after < before;
    AccessProgram placed = insertBarriers(chosen.program, chosen.barriersOf(chosen.plan));
    for (const HazardFault &fault : checkHazards(placed, bytesOf(chosen.problem, chosen.plan)))
      EXPECT_EQ(fault.kind, HazardFault::Kind::NotArrived) << "seed " << seed;

    chosen.objective.highestBytes = chosen.least.heightBytes + 64;
    chosen.choose();
    EXPECT_LE(chosen.runsOf(chosen.plan), after) << "seed " << seed;
    fewerAbove += chosen.runsOf(chosen.plan) < after;
    higher += chosen.plan.heightBytes > chosen.least.heightBytes;
  }
  EXPECT_GT(fewer, 50);
  EXPECT_GT(fewerAbove, 50);
  EXPECT_EQ(higher, fewerAbove);
}

std::vector<int64_t> offsetsOf(const PlanObjective &objective) {
  std::vector<int64_t> offsets;
  offsets.reserve(objective.previousOffsets.size());
  for (std::optional<int64_t> offset : objective.previousOffsets)
    offsets.push_back(*offset);
  return offsets;
}

TEST(PlanObjectiveTest, RandomOldPlansAreKeptWhole) {
  int kept = 0;
  for (unsigned seed = 0; seed != 400; ++seed) {
    Chosen first(randomProgram(seed), 32);
    first.choose();
    Chosen again(randomProgram(seed), 32);
    // The same plan, turned upside down: as high, as many barriers.
    for (size_t buffer = 0; buffer != first.problem.buffers.size(); ++buffer)
      again.objective.previousOffsets.push_back(first.plan.heightBytes -
                                                first.plan.placements[buffer].offsetBytes -
                                                first.problem.buffers[buffer].sizeBytes);
    // Unless other versions of a buffer meet than before.
    if (again.runsOf(describePlan(again.problem, offsetsOf(again.objective))) >
        first.runsOf(first.plan))
      continue;
    again.choose();
    EXPECT_LE(again.runsOf(again.plan), first.runsOf(first.plan)) << "seed " << seed;
    EXPECT_EQ(again.plan.heightBytes, first.plan.heightBytes);
    if (again.runsOf(again.plan) < first.runsOf(first.plan))
      continue;
    for (size_t buffer = 0; buffer != first.problem.buffers.size(); ++buffer)
      if (first.problem.buffers[buffer].sizeBytes > 0)
        EXPECT_EQ(again.plan.placements[buffer].offsetBytes,
                  again.objective.previousOffsets[buffer])
            << "seed " << seed;
    kept += again.plan.placements != first.plan.placements;
  }
  EXPECT_GT(kept, 100);
}

} // namespace
