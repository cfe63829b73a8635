// Run alone: unit_tests --gtest_filter='Planner*'
#include "core/access/arena_plan.h"
#include "core/check/plan_check.h"
#include "core/plan/planner.h"
#include "tests/unit/access_programs.h"
#include "tests/unit/arena_problems.h"

#include "gtest/gtest.h"

using namespace tilescope;
using namespace tilescope::test;

namespace {

ArenaProblem attentionProblem(int64_t stages) {
  AccessProgram program = attentionForward(stages);
  Lifetimes lifetimes = computeLifetimes(program);
  std::vector<ArenaBuffer> buffers;
  for (size_t index = 0; index != program.buffers.size(); ++index) {
    ArenaBuffer buffer = box(program.buffers[index].name, 0, lifetimes.buffers[index].intervals);
    buffer.versions = program.buffers[index].versions;
    buffer.strideBytes = AttentionTileBytes;
    buffer.sizeBytes = buffer.versions * buffer.strideBytes;
    buffers.push_back(buffer);
  }
  return number(buffers);
}

ArenaPlan planChecked(const ArenaProblem &problem, int64_t nodeBudget = 100'000) {
  ArenaPlan plan = planArena(problem, nodeBudget);
  for (const std::string &fault : checkPlan(problem, plan))
    ADD_FAILURE() << fault;
  return plan;
}

TEST(PlannerTest, AttentionForwardPlansToThePeakOfItsLiveSets) {
  const std::pair<int64_t, int64_t> expected[] = {{0, 65536}, {1, 98304}, {2, 163840}};
  for (auto [stages, bytes] : expected) {
    ArenaPlan plan = planChecked(attentionProblem(stages));
    EXPECT_EQ(plan.heightBytes, bytes) << stages << " stages";
    EXPECT_EQ(plan.certificate.kind, ProofKind::LiveAtPoint);
    EXPECT_EQ(plan.certificate.boundBytes, bytes);
  }
}

TEST(PlannerTest, QueryAndOutputShareBytes) {
  ArenaPlan plan = planChecked(attentionProblem(2));
  const Placement &query = plan.placements[0], &output = plan.placements[3];
  EXPECT_EQ(query.offsetBytes, output.offsetBytes);
  EXPECT_EQ(output.reason, PlacementReason::ReusesBytes);
  EXPECT_EQ(plan.certificate.liveSet,
            (std::vector<BufferId>{BufferId(0), BufferId(1), BufferId(2)}));
}

TEST(PlannerTest, SearchBeatsEveryDiveAndProvesIt) {
  // Max-live is 7 but no placement reaches it (the classical non-interval packing).
  ArenaProblem problem =
      number({box("a", 1, {{0, 3}}, 1), box("b", 2, {{0, 1}}, 1), box("c", 1, {{1, 5}}, 1),
              box("d", 2, {{2, 4}}, 1), box("e", 1, {{4, 7}}, 1), box("f", 2, {{6, 8}}, 1)});
  ArenaPlan plan = planChecked(problem);
  EXPECT_NE(plan.certificate.kind, ProofKind::Gap);
}

TEST(PlannerTest, AlignmentCostsPaddingThatIsStated) {
  ArenaProblem problem = number({box("a", 16, {{0, 2}}, 16), box("b", 1024, {{0, 2}}, 1024)});
  ArenaPlan plan = planChecked(problem);
  EXPECT_EQ(plan.heightBytes, 1040);
  EXPECT_EQ(plan.placements[0].offsetBytes, 1024);
  EXPECT_EQ(plan.placements[0].below, (std::vector<BufferId>{BufferId(1)}));
  EXPECT_EQ(plan.placements[0].paddingBytes, 0);
}

TEST(PlannerTest, PinsHold) {
  ArenaProblem problem = number({box("a", 64, {{0, 2}}), box("b", 64, {{0, 2}})});
  problem.buffers[0].pinnedOffset = 64;
  ArenaPlan plan = planChecked(problem);
  EXPECT_EQ(plan.placements[0].reason, PlacementReason::Pinned);
  EXPECT_EQ(plan.placements[1].offsetBytes, 0);
  EXPECT_EQ(plan.heightBytes, 128);
}

TEST(PlannerTest, EmptyProblemsAndEmptyBuffers) {
  EXPECT_EQ(planChecked(ArenaProblem()).heightBytes, 0);
  ArenaPlan plan = planChecked(number({box("none", 0, {{0, 2}}), box("never", 32, {})}));
  EXPECT_EQ(plan.heightBytes, 32);
}

TEST(PlannerTest, CheckPlanNamesPlantedFaults) {
  ArenaProblem problem = attentionProblem(2);
  ArenaPlan good = planArena(problem);
  for (size_t index = 0; index != 3; ++index) {
    ArenaPlan moved = good;
    moved.placements[index].offsetBytes += index == 0 ? 16 : -16;
    EXPECT_FALSE(checkPlan(problem, moved).empty());
  }
  ArenaPlan swapped = good;
  std::swap(swapped.placements[0], swapped.placements[1]);
  EXPECT_FALSE(checkPlan(problem, swapped).empty());
  problem.capacityBytes = 1024;
  EXPECT_FALSE(checkPlan(problem, good).empty());
}

TEST(PlannerTest, AgreesWithBruteForceOnRandomProblems) {
  int exhausted = 0;
  for (uint32_t round = 0; round != 400; ++round) {
    ArenaProblem problem = randomProblem(round, 6);
    ArenaPlan plan = planChecked(problem);
    int64_t grain = INT64_MAX;
    for (const ArenaBuffer &buffer : problem.buffers)
      grain = std::min(grain, buffer.alignmentBytes);
    int64_t best = (bruteForceHeight(problem) + grain - 1) / grain * grain;
    EXPECT_EQ(plan.heightBytes, best) << "round " << round;
    EXPECT_NE(plan.certificate.kind, ProofKind::Gap);
    exhausted += plan.certificate.kind == ProofKind::Exhausted;
  }
  EXPECT_GT(exhausted, 0);
}

} // namespace
