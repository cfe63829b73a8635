#include "core/analysis/cluster_blocks.h"

#include "core/exec/cluster_meeting.h"
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

} // namespace
} // namespace tilescope
