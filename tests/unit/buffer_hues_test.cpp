// The colours of buffers, by their order and by who lies beside whom.
// Run alone: unit_tests --gtest_filter='BufferHuesTest.*'
#include "core/trace/buffer_hues.h"

#include "core/support/colour.h"

#include <gtest/gtest.h>

#include <set>

namespace tilescope {
namespace {

BufferKey key(size_t index) { return {"f", "b" + std::to_string(index), 0, ""}; }

// `count` buffers of 16 bytes, one above the other, all live at one point.
Trace stackOf(size_t count) {
  Trace trace;
  std::vector<BufferRecord> buffers;
  ArenaRecord arena;
  for (size_t index = 0; index != count; ++index) {
    BufferRecord record;
    record.id = BufferId{static_cast<uint32_t>(index)};
    record.key = key(index);
    record.scope = BufferScope::SharedDynamic;
    buffers.push_back(record);
    arena.problem.buffers.push_back({record.id, record.key.sourceName, 16, 16, 1, 16, {{0, 1}}});
    arena.plan.placements.push_back({record.id, static_cast<int64_t>(16 * index), 16});
  }
  TraceSnapshot snapshot;
  snapshot.buffers = std::make_shared<const std::vector<BufferRecord>>(std::move(buffers));
  snapshot.arenas = std::make_shared<const std::vector<ArenaRecord>>(1, std::move(arena));
  trace.snapshots.push_back(std::move(snapshot));
  trace.passes.resize(1);
  return trace;
}

TEST(BufferHuesTest, TheFirstOnesHaveTheirOwn) {
  BufferHues hues = BufferHues::of(stackOf(6));
  std::set<int> seen;
  for (size_t index = 0; index != 6; ++index)
    seen.insert(hues.hueOf(key(index)));
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_EQ(hues.hueOf(key(0)), OrderedHues[0]);
  EXPECT_EQ(hues.hueOf({"another", "b0", 0, ""}), OrderedHues[0]); // host and device are split
}

TEST(BufferHuesTest, NeighboursDiffer) {
  Trace trace = stackOf(30);
  // The 7th, whose turn it is to look like the first, comes to lie beside it.
  std::vector<ArenaRecord> arenas = *trace.snapshots[0].arenas;
  std::swap(arenas[0].plan.placements[6].offsetBytes, arenas[0].plan.placements[1].offsetBytes);
  trace.snapshots[0].arenas = std::make_shared<const std::vector<ArenaRecord>>(std::move(arenas));
  BufferHues hues = BufferHues::of(trace);
  EXPECT_NE(hues.hueOf(key(6)), hues.hueOf(key(0)));
  for (size_t index = 8; index != 30; ++index)
    EXPECT_NE(hues.hueOf(key(index)), hues.hueOf(key(index - 1))) << index;
}

TEST(BufferHuesTest, OthersHaveThatOfTheirKey) {
  BufferHues hues = BufferHues::of(stackOf(2));
  BufferKey other{"f", "acc", 0, ""};
  EXPECT_EQ(hues.hueOf(other), hueDegrees(other));
  EXPECT_EQ(BufferHues().hueOf(key(0)), hueDegrees(key(0)));
}

TEST(BufferHuesTest, AllColoursAreInTheOrder) {
  std::set<int> ordered(std::begin(OrderedHues), std::end(OrderedHues)), all;
  for (const BufferColour &colour : BufferColours)
    all.insert(colour.hueDegrees);
  EXPECT_EQ(ordered, all);
}

} // namespace
} // namespace tilescope
