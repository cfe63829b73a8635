// Run alone: unit_tests --gtest_filter='BarrierPlan*'
#include "core/plan/barrier_plan.h"
#include "tests/unit/access_programs.h"
#include "tests/unit/memory_programs.h"
#include "tests/unit/random_programs.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

using namespace tilescope;
using namespace tilescope::test;

namespace {

AccessProgram withoutBarriers(AccessProgram program) {
  for (AccessNode &node : program.nodes)
    llvm::erase_if(node.children, [&](uint32_t child) {
      return program.nodes[child].kind == AccessNode::Kind::Barrier;
    });
  return program;
}

// Sites in the body of the program's only loop, and outside of it.
std::pair<int, int> sitesInAndOutside(const AccessProgram &program, const BarrierPlan &plan) {
  uint32_t body = 0;
  for (const AccessNode &node : program.nodes)
    if (node.kind == AccessNode::Kind::Loop)
      body = node.children[0];
  int inside = 0;
  for (const BarrierSite &site : plan.sites)
    inside += site.seq == body;
  return {inside, static_cast<int>(plan.sites.size()) - inside};
}

TEST(BarrierPlanTest, OneAnIterationForAPipelinedGemm) {
  for (int64_t stages : {2, 3, 4}) {
    AccessProgram bare = withoutBarriers(pipelinedGemm(stages));
    BarrierPlan plan = planBarriers(bare, {});
    EXPECT_EQ(sitesInAndOutside(bare, plan), std::pair(1, 0)) << stages << " stages";
    // Right after the wait.
    EXPECT_EQ(plan.sites[0].before, 1U);
    EXPECT_TRUE(checkHazards(insertBarriers(bare, plan), {}).empty());
  }
}

TEST(BarrierPlanTest, TwoAnIterationForAttention) {
  AccessProgram bare = withoutBarriers(attentionForward(2));
  BarrierPlan plan = planBarriers(bare, {});
  // The one outside lets the output tile be read by other threads than wrote it.
  EXPECT_EQ(sitesInAndOutside(bare, plan), std::pair(2, 1));
  EXPECT_TRUE(checkHazards(insertBarriers(bare, plan), {}).empty());
}

TEST(BarrierPlanTest, QueryAndOutputShareBytesWithoutABarrierOfTheirOwn) {
  AccessProgram bare = withoutBarriers(attentionForward(2));
  AccessProgram placed = insertBarriers(bare, planBarriers(bare, {}));
  int64_t tile = AttentionTileBytes;
  std::vector<BufferBytes> bytes = {{BufferId(0), 0, tile, tile},
                                    {BufferId(1), tile, tile, tile},
                                    {BufferId(2), 3 * tile, tile, tile},
                                    {BufferId(3), 0, tile, tile}};
  EXPECT_TRUE(planBarriers(placed, bytes).sites.empty());
  // Over the values, which the last gemm reads, it does need one.
  bytes[3].offsetBytes = 3 * tile;
  EXPECT_EQ(planBarriers(placed, bytes).sites.size(), 1U);
}

TEST(BarrierPlanTest, BarrierAtTheEndOfABodyAlsoFreesBytesForWhatFollows) {
  AccessProgram bare = withoutBarriers(attentionForward(0));
  BarrierPlan plan = planBarriers(bare, {});
  ASSERT_FALSE(plan.sites.empty());
  EXPECT_TRUE(checkHazards(insertBarriers(bare, plan), {}).empty());
}

TEST(BarrierPlanTest, SaysWhatABarrierSeparates) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  AccessProgram program = b.finish({b.leaf({write(x)}), b.leaf({write(y)}), b.leaf({read(x)})});
  BarrierPlan plan = planBarriers(program, {});
  ASSERT_EQ(plan.sites.size(), 1U);
  ASSERT_EQ(plan.sites[0].separates.size(), 1U);
  EXPECT_EQ(plan.sites[0].separates[0], (HazardPair{x, x, StmtId(0), StmtId(2)}));
}

TEST(BarrierPlanTest, NothingStandsWhereThreadsDisagree) {
  ProgramBuilder b;
  BufferId x = b.buffer("x");
  uint32_t inside = b.branch({b.seq({b.leaf({partial(x)}), b.leaf({read(x)})})});
  b.program.nodes[inside].isDivergent = true;
  BarrierPlan plan = planBarriers(b.finish({inside}), {});
  EXPECT_TRUE(plan.sites.empty());
  EXPECT_EQ(plan.unsolved.size(), 1U);

  ProgramBuilder c;
  BufferId y = c.buffer("y");
  uint32_t reader = c.branch({c.seq({c.leaf({read(y)})})});
  c.program.nodes[reader].isDivergent = true;
  plan = planBarriers(c.finish({c.leaf({write(y)}), reader}), {});
  EXPECT_TRUE(plan.unsolved.empty());
  ASSERT_EQ(plan.sites.size(), 1U);
  EXPECT_EQ(plan.sites[0].before, 1U);
}

TEST(BarrierPlanTest, BarriersInBothArmsSettleWhatLiesAround) {
  ProgramBuilder b;
  BufferId x = b.buffer("x"), y = b.buffer("y");
  auto arm = [&] { return b.seq({b.leaf({partial(y)}), b.leaf({read(y)})}); };
  uint32_t before = b.leaf({partial(x)}), both = b.branch({arm(), arm()});
  AccessProgram program = b.finish({before, both, b.leaf({read(x)})});
  BarrierPlan plan = planBarriers(program, {});
  EXPECT_EQ(plan.sites.size(), 2U);
  EXPECT_TRUE(checkHazards(insertBarriers(program, plan), {}).empty());
}

// A hazard of a copy that nobody waits for is not a matter of barriers.
bool isBarrierMatter(const HazardFault &fault) {
  return fault.kind != HazardFault::Kind::NotArrived;
}

TEST(BarrierPlanTest, RandomProgramsEndUpFreeOfHazardsAndStaySo) {
  int inserted = 0;
  for (unsigned seed = 0; seed != 1500; ++seed) {
    AccessProgram program = RandomProgram(seed).make();
    BarrierPlan plan = planBarriers(program, {});
    ASSERT_TRUE(plan.unsolved.empty()) << toString(program);
    AccessProgram placed = insertBarriers(program, plan);
    inserted += static_cast<int>(plan.sites.size());
    for (const HazardFault &fault : checkHazards(placed, {}))
      ASSERT_FALSE(isBarrierMatter(fault)) << "seed " << seed << "\n" << toString(placed);
    ASSERT_TRUE(planBarriers(placed, {}).sites.empty()) << "seed " << seed;
    // None is superfluous.
    for (size_t site = 0; site != plan.sites.size(); ++site) {
      BarrierPlan fewer = plan;
      fewer.sites.erase(fewer.sites.begin() + static_cast<std::ptrdiff_t>(site));
      ASSERT_FALSE(checkHazards(insertBarriers(program, fewer), {}).empty()) << "seed " << seed;
    }
  }
  EXPECT_GT(inserted, 1000);
}

} // namespace
