// Run alone: unit_tests --gtest_filter='ReuseHazards*'
#include "core/check/plan_check.h"
#include "core/plan/planner.h"
#include "core/plan/reuse_hazards.h"
#include "tests/unit/memory_programs.h"
#include "tests/unit/random_programs.h"

#include "gtest/gtest.h"

#include <map>

using namespace tilescope;
using namespace tilescope::test;

namespace {

std::vector<BufferBytes> versionsOf(const ArenaProblem &problem) {
  return bytesOf(problem, describePlan(problem, std::vector<int64_t>(problem.buffers.size(), 0)));
}

double runsOf(const BarrierPlan &plan) {
  double runs = 0;
  for (const BarrierSite &site : plan.sites)
    runs += site.runs;
  return runs;
}

//     write A  write B  barrier  read A  (0)  read B  (1)  write C  (2)  write D
struct FourBuffers {
  ProgramBuilder b;
  BufferId a = b.buffer("A"), bb = b.buffer("B"), c = b.buffer("C"), d = b.buffer("D");
  AccessProgram program =
      b.finish({b.leaf({write(a)}), b.leaf({write(bb)}), b.barrier(), b.leaf({read(a)}),
                b.leaf({read(bb)}), b.leaf({write(c)}), b.leaf({write(d)})});
  ArenaProblem problem = problemOf(program);
  ReuseHazards reuseHazards{program, problem, versionsOf(problem)};
};

TEST(ReuseHazardsTest, OneBarrierResolvesHazardsThatHaveASiteInCommon) {
  FourBuffers four;
  // Sizes are 16, 32, 48, 64: A over C and B over D.
  EXPECT_EQ(four.reuseHazards.costOf({0, 64, 0, 64}).runs, 1);
  EXPECT_EQ(four.reuseHazards.costOf({0, 64, 0, 64}).sites.size(), 1U);
  EXPECT_EQ(four.reuseHazards.costOf({0, 16, 48, 96}).runs, 0);
  EXPECT_EQ(four.reuseHazards.costWithoutReuse().runs, 0);
  // {0, 1} of A to C, {1} of B to C, {0, 1, 2} of A to D, {1, 2} of B to D.
  using Buffers = std::pair<uint32_t, uint32_t>;
  std::map<Buffers, size_t> sitesOf;
  for (const ReuseHazards::VersionPair &pair : four.reuseHazards.pairs()) {
    ASSERT_EQ(pair.hazards.size(), 1U);
    sitesOf[{pair.firstBuffer, pair.secondBuffer}] =
        four.reuseHazards.sitesOf(pair.hazards.front()).count();
  }
  // A and B are live together: they never share.
  std::map<Buffers, size_t> expected = {
      {{0, 2}, 2}, {{0, 3}, 3}, {{1, 2}, 1}, {{1, 3}, 2}, {{2, 3}, 1}};
  EXPECT_EQ(sitesOf, expected);
}

TEST(ReuseHazardsTest, BarrierThatStandsAlreadyIsFree) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  AccessProgram program = b.finish({b.leaf({write(x)}), b.barrier(), b.leaf({read(x)}), b.barrier(),
                                    b.leaf({write(y)}), b.barrier(), b.leaf({read(y)})});
  ArenaProblem problem = problemOf(program);
  ReuseHazards reuseHazards(program, problem, versionsOf(problem));
  EXPECT_EQ(reuseHazards.costOf({0, 0}).runs, 0);
  EXPECT_EQ(reuseHazards.hazardCount(), 0U);
}

TEST(ReuseHazardsTest, SiteInALoopCountsEachPass) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  StmtId loop = b.stmt();
  AccessProgram program =
      b.finish({b.loop(loop, 8, 8,
                       {b.leaf({write(x)}), b.barrier(), b.leaf({read(x)}), b.leaf({write(y)}),
                        b.barrier(), b.leaf({read(y)}), b.barrier()})});
  ArenaProblem problem = problemOf(program);
  ReuseHazards reuseHazards(program, problem, versionsOf(problem));
  EXPECT_EQ(reuseHazards.costOf({0, 0}).runs, 8);
  EXPECT_EQ(reuseHazards.costOf({0, 16}).runs, 0);
}

TEST(ReuseHazardsTest, WhatNoBarrierCanSeparateCostsMoreThanAnything) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  uint32_t inside =
      b.branch({b.seq({b.leaf({read(x)}), b.leaf({write(y)}), b.namedBarrier(1, 64)})});
  b.program.nodes[inside].isDivergent = true;
  AccessProgram program = b.finish({b.leaf({write(x)}), b.barrier(), inside});
  ArenaProblem problem = problemOf(program);
  ReuseHazards reuseHazards(program, problem, versionsOf(problem));
  EXPECT_FALSE(
      planBarriers(program, bytesOf(problem, describePlan(problem, {0, 0}))).unsolved.empty());
  EXPECT_GT(reuseHazards.costOf({0, 0}).runs, reuseHazards.costOf({0, 16}).runs + 1e12);
}

//     read w    if ...: write y, barrier, read y    else: write z, barrier, read z    write x
//
// x over w: each way from w to x has a barrier that y or z needs, so none is needed behind them.
TEST(ReuseHazardsTest, BarriersInBothArmsResolveWhatFollowsThem) {
  ProgramBuilder b;
  BufferId w = b.buffer("w"), x = b.buffer("x"), y = b.buffer("y"), z = b.buffer("z");
  AccessProgram program = b.finish({b.leaf({write(w)}), b.barrier(), b.leaf({read(w)}),
                                    b.branch({b.seq({b.leaf({write(y)}), b.leaf({read(y)})}),
                                              b.seq({b.leaf({write(z)}), b.leaf({read(z)})})}),
                                    b.leaf({write(x)}), b.barrier(), b.leaf({read(x)})});
  ArenaProblem problem = problemOf(program);
  ReuseHazards reuseHazards(program, problem, versionsOf(problem));
  EXPECT_TRUE(reuseHazards.mayCostLess());
  EXPECT_EQ(reuseHazards.costWithoutReuse().runs, 2);
  EXPECT_EQ(reuseHazards.costOf({0, 0, 32, 80}).runs, 2);
  EXPECT_EQ(reuseHazards.costOf({0, 0, 32, 80}).barriers, 2U);
  EXPECT_EQ(
      planBarriers(program, bytesOf(problem, describePlan(problem, {0, 0, 32, 80}))).sites.size(),
      2U);
}

// Buffers beside the problem that share bytes: their barrier resolves hazards of the problem as
// well.
TEST(ReuseHazardsTest, OtherBuffersNeedBarriersToo) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y"), p = b.buffer("p"), q = b.buffer("q");
  AccessProgram program =
      b.finish({b.leaf({write(x), write(p)}), b.barrier(), b.leaf({read(x), read(p)}),
                b.leaf({write(y), write(q)}), b.barrier(), b.leaf({read(y), read(q)})});
  ArenaProblem problem = problemOf(program);
  problem.buffers.resize(2);
  std::vector<BufferBytes> others = {{p, 1024, 16, 16}, {q, 1024, 16, 16}};
  ReuseHazards reuseHazards(program, problem, versionsOf(problem), others);
  EXPECT_EQ(reuseHazards.costWithoutReuse().runs, 1);
  EXPECT_EQ(reuseHazards.costOf({0, 0}).runs, 1);
  std::vector<BufferBytes> all = others;
  all.push_back({x, 0, 16, 16});
  all.push_back({y, 0, 32, 32});
  EXPECT_EQ(planBarriers(program, all).sites.size(), 1U);
}

// Any offsets that lifetimes allow cost what the barriers that planBarriers would place cost.
TEST(ReuseHazardsTest, RandomPlansCostWhatPlanBarriersPlaces) {
  int sharing = 0;
  for (unsigned seed = 0; seed != 600; ++seed) {
    AccessProgram program = RandomProgram(seed, seed % 2 == 0, 6).make();
    if (seed % 3 != 0)
      program = insertBarriers(program, planBarriers(program, {}));
    ArenaProblem problem = problemOf(program);
    ReuseHazards reuseHazards(program, problem, versionsOf(problem));
    std::mt19937 random(seed);
    for (int plan = 0; plan != 4; ++plan) {
      std::vector<int64_t> offsets;
      for (size_t buffer = 0; buffer != problem.buffers.size(); ++buffer)
        offsets.push_back(16 * static_cast<int64_t>(random() % 12));
      ArenaPlan described = describePlan(problem, offsets);
      if (!checkPlan(problem, described).empty())
        continue;
      BarrierPlan barriers = planBarriers(program, bytesOf(problem, described));
      ReuseHazards::Cost cost = reuseHazards.costOf(offsets);
      ASSERT_TRUE(barriers.unsolved.empty());
      EXPECT_EQ(cost.runs, runsOf(barriers)) << "seed " << seed << "\n" << toString(program);
      EXPECT_EQ(cost.barriers, barriers.sites.size()) << "seed " << seed;
      sharing += cost.runs > reuseHazards.costWithoutReuse().runs;
    }
  }
  EXPECT_GT(sharing, 100);
}

} // namespace
