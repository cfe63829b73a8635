#include "core/analysis/shared_bytes.h"
#include "core/plan/launch_regions.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

std::vector<int64_t> regionsOf(std::vector<LaunchSizedBuffer> buffers) {
  for (size_t index = 0; index != buffers.size(); ++index)
    buffers[index].id = BufferId(static_cast<uint32_t>(index));
  planLaunchRegions(buffers);
  std::vector<int64_t> regions;
  regions.reserve(buffers.size());
  for (const LaunchSizedBuffer &buffer : buffers)
    regions.push_back(buffer.region);
  return regions;
}

LaunchSizedBuffer buffer(std::vector<LiveInterval> live, int64_t versions = 1) {
  return {{}, "", versions, 0, std::move(live)};
}

TEST(LaunchRegions, TakesTheLowestThatIsFree) {
  EXPECT_EQ(regionsOf({buffer({{0, 2}}), buffer({{1, 3}}), buffer({{2, 4}})}),
            (std::vector<int64_t>{0, 1, 0}));
}

TEST(LaunchRegions, LooksAtEveryInterval) {
  EXPECT_EQ(regionsOf({buffer({{0, 1}, {4, 5}}), buffer({{1, 4}}), buffer({{2, 3}, {4, 6}})}),
            (std::vector<int64_t>{0, 0, 1}));
}

TEST(LaunchRegions, VersionsStayAlone) {
  EXPECT_EQ(regionsOf({buffer({{0, 1}}, 2), buffer({{1, 2}}), buffer({{2, 3}}, 3)}),
            (std::vector<int64_t>{0, 1, 2}));
}

TEST(LaunchRegions, WhatIsNeverLiveSharesWithAll) {
  EXPECT_EQ(regionsOf({buffer({{0, 9}}), buffer({})}), (std::vector<int64_t>{0, 0}));
}

// The checkers see the same bytes within a region, others between regions and versions.
TEST(LaunchRegions, StandInsOverlapWithinARegionAlone) {
  BufferBytes first = standInBytes(BufferId(0), 0);
  BufferBytes same = standInBytes(BufferId(1), 0);
  BufferBytes next = standInBytes(BufferId(2), 1);
  EXPECT_EQ(first.offsetBytes, same.offsetBytes);
  EXPECT_GE(first.strideBytes, first.sizeBytes);
  EXPECT_GE(next.offsetBytes, first.offsetBytes + (int64_t(1) << 20) * first.strideBytes);
}

} // namespace
} // namespace tilescope
