// Run alone: unit_tests --gtest_filter='Savings*:*Core*'
#include "core/plan/infeasible.h"
#include "core/plan/planner.h"
#include "core/plan/savings.h"
#include "tests/unit/arena_problems.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

using namespace tilescope;
using namespace tilescope::test;

namespace {

TEST(InfeasibleCoreTest, IsTheFewestBuffersThatExceedTheCapacity) {
  ArenaProblem problem =
      number({box("a", 64, {{0, 4}}), box("b", 48, {{0, 2}}), box("c", 48, {{0, 2}}),
              box("d", 96, {{2, 4}}), box("e", 16, {{0, 4}})});
  problem.capacityBytes = 128;
  // [0, 2): a + b + c needs three; [2, 4): a + d needs two.
  EXPECT_EQ(infeasibleCore(problem), (std::vector<BufferId>{BufferId(3), BufferId(0)}));
  problem.capacityBytes = 176;
  EXPECT_TRUE(infeasibleCore(problem).empty());
  problem.capacityBytes = 0;
  EXPECT_TRUE(infeasibleCore(problem).empty());
}

TEST(InfeasibleCoreTest, IsIrreducibleOnRandomProblems) {
  for (uint32_t seed = 0; seed != 200; ++seed) {
    ArenaProblem problem = randomProblem(seed, 12);
    int64_t peakBytes = 0;
    for (ProgramPoint point = 0; point != 30; ++point)
      peakBytes = std::max(peakBytes, bytesLiveAt(problem, point));
    problem.capacityBytes = peakBytes * 3 / 4;
    if (problem.capacityBytes == 0)
      continue;
    int64_t bytes = 0, least = INT64_MAX;
    for (BufferId id : infeasibleCore(problem)) {
      bytes += problem.buffers[id.value].sizeBytes;
      least = std::min(least, problem.buffers[id.value].sizeBytes);
    }
    EXPECT_GT(bytes, problem.capacityBytes) << "seed " << seed;
    EXPECT_LE(bytes - least, problem.capacityBytes) << "seed " << seed;
  }
}

TEST(FragmentationCoreTest, IsTheBuffersThatNoPlacementFits) {
  ArenaProblem problem = number({box("a", 4, {{0, 2}}, 1), box("b", 8, {{0, 2}}, 8),
                                 box("c", 3, {{0, 2}}, 8), box("d", 3, {{0, 2}}, 8)});
  problem.capacityBytes = 18;
  EXPECT_TRUE(infeasibleCore(problem).empty());
  FragmentationCore core = fragmentationCore(problem, 10'000);
  EXPECT_EQ(core.buffers, (std::vector<BufferId>{BufferId(1), BufferId(2), BufferId(3)}));
  EXPECT_TRUE(core.isMinimal);
  problem.capacityBytes = 19;
  EXPECT_EQ(fragmentationCore(problem, 10'000), FragmentationCore());
  problem.capacityBytes = 0;
  EXPECT_EQ(fragmentationCore(problem, 10'000), FragmentationCore());
}

// Whether the buffers of `chosen` (bits) fit, by every order of first fit.
bool fitsByBruteForce(const ArenaProblem &problem, uint32_t chosen) {
  ArenaProblem part;
  part.capacityBytes = problem.capacityBytes;
  for (const ArenaBuffer &buffer : problem.buffers)
    if (chosen >> buffer.id.value & 1)
      part.buffers.push_back(buffer);
  return part.buffers.empty() || bruteForceHeight(part) <= part.capacityBytes;
}

TEST(FragmentationCoreTest, AgreesWithBruteForceOnRandomProblems) {
  int cores = 0;
  for (uint32_t seed = 0; seed != 1000; ++seed) {
    ArenaProblem problem = randomProblem(seed, 6);
    // A zero-byte buffer keeps its alignment, so that heights are rounded as they are by hand.
    for (ArenaBuffer &buffer : problem.buffers)
      buffer.live.resize(1);
    problem.buffers.push_back(box("none", 0, {}, 1));
    problem = number(std::move(problem.buffers));
    int64_t peakBytes = 0;
    for (ProgramPoint point = 0; point != 30; ++point)
      peakBytes = std::max(peakBytes, bytesLiveAt(problem, point));
    problem.capacityBytes = peakBytes;
    uint32_t all = (1u << (problem.buffers.size() - 1)) - 1;
    FragmentationCore core = fragmentationCore(problem, 100'000);
    EXPECT_EQ(core.buffers.empty(), fitsByBruteForce(problem, all)) << "seed " << seed;
    uint32_t chosen = 0;
    for (BufferId id : core.buffers)
      chosen |= 1u << id.value;
    for (BufferId id : core.buffers)
      EXPECT_TRUE(fitsByBruteForce(problem, chosen & ~(1u << id.value))) << "seed " << seed;
    if (core.buffers.empty())
      continue;
    ++cores;
    EXPECT_TRUE(core.isMinimal);
    EXPECT_FALSE(fitsByBruteForce(problem, chosen)) << "seed " << seed;
  }
  EXPECT_GT(cores, 10);
}

TEST(FragmentationCoreTest, SaysWhenTheBudgetEnds) {
  ArenaProblem problem = number({box("a", 4, {{0, 2}}, 1), box("b", 8, {{0, 2}}, 8),
                                 box("c", 3, {{0, 2}}, 8), box("d", 3, {{0, 2}}, 8)});
  problem.capacityBytes = 18;
  EXPECT_FALSE(fragmentationCore(problem, 1).isMinimal);
}

TEST(SavingsTest, NamesEachKindWithWhatItGains) {
  // At 2: Q, K0 and K1, V and the small one; V is needed there only.
  ArenaProblem problem =
      number({box("Q", 64, {{0, 6}}), box("K", 128, {{1, 6}}), box("V", 32, {{2, 4}}),
              box("small", 16, {{2, 3}}), box("O", 48, {{6, 8}})});
  problem.buffers[1].versions = 2;
  problem.buffers[1].strideBytes = 64;
  std::vector<Saving> savings = cheapestSavings(problem, 1000);
  ASSERT_EQ(planArena(problem).heightBytes, 240);
  // Q and K need 192 already at 1.
  EXPECT_EQ(savings, (std::vector<Saving>{
                         {Saving::FewerVersions, BufferId(1), 176, 64},
                         {Saving::ShorterLife, BufferId(0), 192, 48},
                         {Saving::ShorterLife, BufferId(1), 192, 48},
                         {Saving::ShorterLife, BufferId(2), 208, 32},
                         {Saving::ShorterLife, BufferId(3), 224, 16},
                     }));
}

TEST(SavingsTest, PaddingThatAlignmentCostsCanBeDropped) {
  // d starts at a multiple of 8 above c: | b 8 | c 3, a 4 |.| d 3 |
  ArenaProblem problem = number({box("a", 4, {{0, 2}}, 1), box("b", 8, {{0, 2}}, 8),
                                 box("c", 3, {{0, 2}}, 8), box("d", 3, {{0, 2}}, 8)});
  ASSERT_EQ(planArena(problem).heightBytes, 19);
  std::vector<Saving> savings = cheapestSavings(problem, 1000);
  for (uint32_t buffer : {2, 3})
    EXPECT_TRUE(llvm::is_contained(savings, Saving{Saving::NoPadding, BufferId(buffer), 18, 1}));
}

TEST(SavingsTest, NothingToGainIsAnEmptyList) {
  EXPECT_TRUE(cheapestSavings(ArenaProblem(), 1000).empty());
}

} // namespace
