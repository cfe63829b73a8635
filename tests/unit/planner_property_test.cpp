// Run alone: unit_tests --gtest_filter='PlannerProperty*'
#include "core/check/plan_check.h"
#include "core/plan/planner.h"
#include "tests/bench/arena_generators.h"
#include "tests/unit/arena_problems.h"
#include "tests/unit/one_pass_planners.h"

#include "gtest/gtest.h"

using namespace tilescope;
using namespace tilescope::test;

namespace {

// By turns: boxes of all shapes with gaps in their lives, tile kernels, and two stacks.
ArenaProblem problemOfSeed(uint32_t seed) {
  switch (seed % 4) {
  case 0:
    return randomProblem(seed, 20);
  case 1:
    return tileKernelProblem(seed, 4, 24, seed % 8 == 1);
  case 2:
    return tileKernelProblem(seed, 4, 12, seed % 8 == 2);
  default:
    return twoStacksProblem(seed, 30);
  }
}

// 10,000 problems: no plan is wrong, and none is higher than what any one-pass heuristic finds.
TEST(PlannerPropertyTest, IsRightAndNeverWorseThanOnePass) {
  int64_t proven = 0;
  for (uint32_t seed = 0; seed != 10'000; ++seed) {
    ArenaProblem problem = problemOfSeed(seed);
    ArenaPlan plan = planArena(problem, 1'000);
    for (const std::string &fault : checkPlan(problem, plan))
      ADD_FAILURE() << "seed " << seed << ": " << fault;
    for (const auto &[name, height] : onePassHeights(problem))
      EXPECT_LE(plan.heightBytes, height) << "seed " << seed << ": " << name;
    proven += plan.certificate.kind != ProofKind::Gap;
    EXPECT_LE(plan.certificate.boundBytes, plan.heightBytes) << "seed " << seed;
  }
  EXPECT_GT(proven, 8'000);
}

TEST(PlannerPropertyTest, LimitsDecideAloneAndEnoughIsEnough) {
  for (uint32_t seed = 0; seed != 200; ++seed) {
    ArenaProblem problem = tileKernelProblem(seed, 20, 40, true);
    ArenaPlan plan = planArena(problem, 2'000);
    EXPECT_EQ(plan, planArena(problem, 2'000)) << "seed " << seed;
    int64_t enough = plan.heightBytes * 5 / 4;
    ArenaPlan loose = planArena(problem, {.searchNodes = 2'000, .enoughBytes = enough, .stop = {}});
    EXPECT_LE(loose.heightBytes, enough) << "seed " << seed;
    EXPECT_LE(loose.certificate.searchNodes, plan.certificate.searchNodes) << "seed " << seed;
  }
}

TEST(PlannerPropertyTest, ManyBuffersReachTheirBound) {
  ArenaProblem problem = twoStacksProblem(1, 20'000);
  ArenaPlan plan = planArena(problem);
  EXPECT_TRUE(checkPlan(problem, plan).empty());
  EXPECT_LE(plan.heightBytes, plan.certificate.boundBytes * 101 / 100);
}

} // namespace
