// Run alone: unit_tests --gtest_filter='ClusterReaches.*'
#include "core/exec/cluster_meeting.h"
#include "core/exec/live_blocks.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

std::vector<int64_t> ranks(int64_t mask, int64_t rank) {
  llvm::SmallVector<int64_t> found = ranksToCopyTo(mask, rank);
  return {found.begin(), found.end()};
}

using Ranks = std::vector<int64_t>;

TEST(ClusterReaches, TheFirstOfAMaskCopiesForAll) {
  EXPECT_EQ(ranks(0b110, 1), (Ranks{1, 2}));
  EXPECT_EQ(ranks(0b110, 2), Ranks());
  EXPECT_EQ(ranks(0b11111111, 0), (Ranks{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(ClusterReaches, OthersCopyForThemselves) {
  EXPECT_EQ(ranks(0b110, 0), Ranks{0});
  EXPECT_EQ(ranks(0b110, 3), Ranks{3});
  EXPECT_EQ(ranks(0, 2), Ranks{2});
}

TEST(ClusterReaches, ABlockWaitsForWhatAnotherDoes) {
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

TEST(ClusterReaches, WhereNoneCanGoOnAllAreTold) {
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

TEST(ClusterReaches, WhoWaitsBeforeAMeetingStillComes) {
  LiveBlocks blocks;
  bool isThere = false;
  int meetings = 0;
  blocks.run(
      2,
      [&](int64_t block) {
        if (block == 0)
          EXPECT_TRUE(blocks.await([&] { return isThere; }));
        isThere = true;
        EXPECT_TRUE(blocks.meet());
      },
      [&] { ++meetings; });
  EXPECT_EQ(meetings, 1);
}

} // namespace
