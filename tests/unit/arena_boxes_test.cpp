// Run alone: unit_tests --gtest_filter='ArenaBoxes*'
#include "core/views/arena_model.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace tilescope {
namespace {

using Pairs = std::set<std::pair<uint32_t, uint32_t>>;

// Every pair of boxes, one by one.
Pairs byPairs(const std::vector<ArenaBox> &boxes, const std::vector<ByteRange> &rows) {
  Pairs pairs;
  for (const ArenaBox &a : boxes)
    for (const ArenaBox &b : boxes)
      if (a.row < b.row && a.begin < b.end && b.begin < a.end &&
          std::max(rows[a.row].begin, rows[b.row].begin) <
              std::min(rows[a.row].end, rows[b.row].end))
        pairs.emplace(a.row, b.row);
  return pairs;
}

struct Scene {
  std::vector<ByteRange> rows; // by begin
  std::vector<ArenaBox> boxes; // by begin
};

// Each row has a few disjoint lives. A small `span` makes most of them meet.
Scene randomScene(uint32_t seed, size_t count, int64_t span) {
  std::mt19937 random(seed);
  auto below = [&](int64_t bound) { return static_cast<int64_t>(random() % bound); };
  Scene scene;
  for (size_t row = 0; row != count; ++row) {
    int64_t begin = below(span);
    scene.rows.push_back({begin, begin + below(6)});
  }
  std::sort(scene.rows.begin(), scene.rows.end(),
            [](const ByteRange &a, const ByteRange &b) { return a.begin < b.begin; });
  for (uint32_t row = 0; row != count; ++row) {
    ProgramPoint point = static_cast<ProgramPoint>(below(20));
    for (int64_t life = below(4); life > 0; --life) {
      ProgramPoint end = point + 1 + static_cast<ProgramPoint>(below(4));
      scene.boxes.push_back({row, point, end});
      point = end + static_cast<ProgramPoint>(below(3));
    }
  }
  sortByBegin(scene.boxes);
  return scene;
}

TEST(ArenaBoxes, ConflictsAreThoseOfAllPairs) {
  size_t withConflicts = 0, without = 0;
  for (uint32_t seed = 0; seed != 600; ++seed) {
    Scene scene = randomScene(seed, 2 + seed % 90, seed % 3 ? 3000 : 60);
    Pairs found;
    for (const ArenaConflict &conflict : findConflicts(scene.boxes, scene.rows)) {
      found.emplace(conflict.first, conflict.second);
      EXPECT_LT(conflict.beginBytes, conflict.endBytes);
      EXPECT_LT(conflict.points.begin, conflict.points.end);
      EXPECT_GE(conflict.beginBytes, scene.rows[conflict.second].begin);
      EXPECT_LE(conflict.endBytes, scene.rows[conflict.first].end);
    }
    Pairs expected = byPairs(scene.boxes, scene.rows);
    ++(expected.empty() ? without : withConflicts);
    if (expected.size() < 300)
      ASSERT_EQ(found, expected) << "seed " << seed;
  }
  EXPECT_GT(withConflicts, 100u);
  EXPECT_GT(without, 100u);
}

// Rows more than a word of bits apart, on both sides.
TEST(ArenaBoxes, NeighboursAreFoundFarAway) {
  std::vector<ByteRange> rows;
  for (int64_t row = 0; row != 9000; ++row)
    rows.push_back({row, row + 1});
  rows.front().end = 9000; // below all others
  std::vector<ArenaBox> boxes{{0, 0, 5}, {8999, 1, 3}};
  ASSERT_EQ(findConflicts(boxes, rows).size(), 1u);
  EXPECT_EQ(findConflicts(boxes, rows).front(), (ArenaConflict{0, 8999, 8999, 9000, {1, 3}}));
  boxes = {{8999, 0, 5}, {0, 1, 3}};
  EXPECT_EQ(findConflicts(boxes, rows).size(), 1u);
}

TEST(ArenaBoxes, SortedByBeginWhateverTheRange) {
  std::vector<ArenaBox> boxes{{0, 7, 9}, {1, 3, 4}, {2, 7, 8}, {3, 0, 1}, {4, 3, 9}};
  std::vector<ArenaBox> sorted{{3, 0, 1}, {1, 3, 4}, {4, 3, 9}, {0, 7, 9}, {2, 7, 8}};
  std::vector<ArenaBox> far = boxes, farSorted = sorted;
  sortByBegin(boxes);
  EXPECT_EQ(boxes, sorted);
  for (std::vector<ArenaBox> *list : {&far, &farSorted})
    for (ArenaBox &box : *list)
      box.begin *= 200'000'000;
  sortByBegin(far);
  EXPECT_EQ(far, farSorted);
}

// A plan that is wrong, as a trace of another compiler may be.
TEST(ArenaBoxes, TheViewShowsConflictsOfAPlanAndSparesViews) {
  ArenaRecord arena;
  arena.function = "kernel";
  for (uint32_t id = 0; id != 3; ++id) {
    ArenaBuffer buffer;
    buffer.id = BufferId(id);
    buffer.name = std::string(1, static_cast<char>('A' + id));
    buffer.sizeBytes = buffer.strideBytes = 64;
    buffer.live = {{0, 4}};
    arena.problem.buffers.push_back(buffer);
    Placement placement;
    placement.id = buffer.id;
    placement.offsetBytes = id == 0 ? 0 : 32;
    placement.sizeBytes = 64;
    arena.plan.placements.push_back(placement);
  }
  std::vector<BufferRecord> records(3);
  for (uint32_t id = 0; id != 3; ++id)
    records[id].id = BufferId(id);
  records[2].origin = BufferId(1); // C is made from B
  Trace trace;
  TraceSnapshot snapshot;
  snapshot.arenas = std::make_shared<std::vector<ArenaRecord>>(1, arena);
  snapshot.buffers = std::make_shared<std::vector<BufferRecord>>(records);
  trace.snapshots.push_back(snapshot);
  trace.passes.emplace_back();
  ArenaFunction function = buildArena(PassState(trace, 0)).functions.front();
  EXPECT_EQ(function.buffers[2].viewOf, "B");
  EXPECT_EQ(function.conflicts,
            (std::vector<ArenaConflict>{{0, 1, 32, 64, {0, 4}}, {0, 2, 32, 64, {0, 4}}}));
}

} // namespace
} // namespace tilescope
