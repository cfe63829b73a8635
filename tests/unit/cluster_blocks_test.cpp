#include "core/analysis/cluster_blocks.h"

#include "core/exec/cluster_meeting.h"
#include "core/exec/live_blocks.h"
#include "core/ir/printer.h"
#include "ir_text.h"

namespace tilescope {
namespace {

TEST(ClusterBlocksTest, OneBlockDoesWhatThoseOfAClusterDo) {
  Context context;
  const Module *module = parseIr(context, R"ir(@T.prim_func(properties=["lowered"])
def k(A: T.Tensor((8, 4), "float32")):
    with T.Kernel(8, 4, threads=32, cluster_dims=[2, 1, 1]) as (bx, by, tx):
        A[bx, by] = 1.0
)ir");
  ASSERT_TRUE(module);
  const Function &function = *module->functions[0];
  const auto &launch = *llvm::cast<Launch>(function.body);
  ClusterBlocks clusters(function, launch);
  std::string text = printStmt(clusters.function(), clusters.launch());
  EXPECT_NE(text.find("T.Kernel(4, 4, threads=32)"), std::string::npos) << text;
  EXPECT_NE(text.find("* 2 + "), std::string::npos) << text;
  const Stmt *store = clusters.launch().body;
  while (const auto *loop = llvm::dyn_cast<For>(store))
    store = loop->body;
  EXPECT_EQ(clusters.originalOf(store), launch.body);
}

TEST(ClusterBlocksTest, BlocksOfAClusterStandInTheOrderOfTheirRanks) {
  using Clusters = std::vector<std::vector<int64_t>>;
  EXPECT_EQ(blocksByCluster({4, 2}, {2, 2, 1}), (Clusters{{0, 1, 4, 5}, {2, 3, 6, 7}}));
  EXPECT_EQ(blocksByCluster({3}, {}), (Clusters{{0}, {1}, {2}}));
}

std::vector<int64_t> ranks(int64_t mask, int64_t rank) {
  llvm::SmallVector<int64_t> found = ranksToCopyTo(mask, rank);
  return {found.begin(), found.end()};
}

using Ranks = std::vector<int64_t>;

TEST(ClusterBlocksTest, TheFirstOfAMaskCopiesForAll) {
  EXPECT_EQ(ranks(0b110, 1), (Ranks{1, 2}));
  EXPECT_EQ(ranks(0b110, 2), Ranks());
  EXPECT_EQ(ranks(0b11111111, 0), (Ranks{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(ClusterBlocksTest, OthersCopyForThemselves) {
  EXPECT_EQ(ranks(0b110, 0), Ranks{0});
  EXPECT_EQ(ranks(0b110, 3), Ranks{3});
  EXPECT_EQ(ranks(0, 2), Ranks{2});
}

TEST(ClusterBlocksTest, ABlockWaitsForWhatAnotherDoes) {
  LiveBlocks blocks;
  int64_t turn = 0;
  std::vector<int64_t> order;
  blocks.run(
      3,
      [&](int64_t block) {
        EXPECT_TRUE(blocks.await([&] { return turn == 2 - block; }));
        order.push_back(block);
        ++turn;
      },
      [] {});
  EXPECT_EQ(order, (Ranks{2, 1, 0}));
}

TEST(ClusterBlocksTest, WhereNoneCanGoOnAllAreTold) {
  LiveBlocks blocks;
  int told = 0, meetings = 0;
  blocks.run(
      3,
      [&](int64_t block) {
        if (block == 0)
          told += !blocks.meet();
        else
          told += !blocks.await([] { return false; });
      },
      [&] { ++meetings; });
  EXPECT_EQ(told, 3);
  EXPECT_EQ(meetings, 0);
}

TEST(ClusterBlocksTest, WhoWaitsBeforeAMeetingStillComes) {
  LiveBlocks blocks;
  bool isThere = false;
  int meetings = 0;
  blocks.run(
      2,
      [&](int64_t block) {
        EXPECT_TRUE(block != 0 || blocks.await([&] { return isThere; }));
        isThere = true;
        EXPECT_TRUE(blocks.meet());
      },
      [&] { ++meetings; });
  EXPECT_EQ(meetings, 1);
}

} // namespace
} // namespace tilescope
