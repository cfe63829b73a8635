// Run alone: unit_tests --gtest_filter='ExactPlacer*'
#include "core/plan/exact_placer.h"
#include "tests/unit/arena_problems.h"

#include "gtest/gtest.h"

#include <random>

using namespace tilescope;
using namespace tilescope::test;

namespace {

using Outcome = ExactPlacer::Outcome;
using Pins = std::vector<std::optional<int64_t>>;
constexpr int64_t ManySteps = 1'000'000;

// Buffers of so many units of 16 bytes, of which each two conflict as `conflicts` says.
struct Placing {
  explicit Placing(const std::vector<int64_t> &units) : conflicts(units.size()) {
    for (int64_t size : units)
      problem.buffers.push_back(box("b", 16 * size, {}));
    pins.resize(units.size());
  }

  Outcome place(int64_t limitUnits, int64_t maxSteps = ManySteps) {
    Outcome outcome = placer.place(conflicts, 16 * limitUnits, pins, maxSteps);
    if (outcome == Outcome::Placed)
      EXPECT_TRUE(isRight(placer.offsets(), 16 * limitUnits));
    return outcome;
  }

  bool isRight(const std::vector<int64_t> &offsets, int64_t limitBytes) const {
    for (size_t one = 0; one != offsets.size(); ++one) {
      int64_t size = problem.buffers[one].sizeBytes;
      if (offsets[one] < 0 || (size > 0 && offsets[one] + size > limitBytes) ||
          offsets[one] % problem.buffers[one].alignmentBytes != 0 ||
          pins[one].value_or(offsets[one]) != offsets[one])
        return false;
      for (size_t other = 0; other != one; ++other) {
        int64_t distance = offsets[other] - offsets[one];
        int64_t otherSize = problem.buffers[other].sizeBytes;
        if (conflicts.wholeRow(one)[other] != PlacementConflicts::None && size > 0 &&
            otherSize > 0 && distance < size && -distance < otherSize)
          return false;
      }
      for (const PlacementConflicts::Partial &partial : conflicts.partialsOf(one))
        if (partial.distances.contains(offsets[partial.other] - offsets[one]))
          return false;
    }
    return true;
  }

  // By trying all offsets.
  bool canBePlaced(int64_t limitUnits) const {
    std::vector<int64_t> offsets(problem.buffers.size(), 0);
    return tryFrom(0, offsets, limitUnits);
  }

  bool tryFrom(size_t buffer, std::vector<int64_t> &offsets, int64_t limitUnits) const {
    if (buffer == offsets.size())
      return isRight(offsets, 16 * limitUnits);
    for (int64_t unit = 0; unit == 0 || unit < limitUnits; ++unit) {
      offsets[buffer] = 16 * unit;
      if (tryFrom(buffer + 1, offsets, limitUnits))
        return true;
    }
    return false;
  }

  ArenaProblem problem;
  PlacementConflicts conflicts;
  Pins pins;
  ExactPlacer placer{problem};
};

TEST(ExactPlacerTest, BuffersThatMayMeetLieAtTheBottom) {
  Placing placing({2, 3, 1});
  ASSERT_EQ(placing.place(3), Outcome::Placed);
  EXPECT_EQ(placing.placer.offsets(), (std::vector<int64_t>{0, 0, 0}));
  EXPECT_EQ(placing.place(2), Outcome::Impossible);
}

TEST(ExactPlacerTest, SumOfWhatMayNotMeetIsNeeded) {
  Placing placing({2, 3, 1});
  placing.conflicts.set(0, 1);
  placing.conflicts.set(1, 2);
  placing.conflicts.set(0, 2);
  EXPECT_EQ(placing.place(6), Outcome::Placed);
  EXPECT_EQ(placing.place(5), Outcome::Impossible);
  EXPECT_TRUE(placing.placer.core().empty());
  placing.conflicts.set(0, 2, PlacementConflicts::ByBarrier);
  EXPECT_EQ(placing.place(5), Outcome::Impossible);
  using Used = std::set<std::pair<size_t, size_t>>;
  EXPECT_EQ(placing.placer.core(), (Used{{0, 2}}));
  EXPECT_EQ(placing.place(6), Outcome::Placed);
}

//     bytes  ^  |A2|        C may not overlap A1: it lies over A2 and more, or over A0 and less.
//            |  |A1|   |C|
//            |  |A0|
TEST(ExactPlacerTest, OneVersionMayBeMetAndAnotherNot) {
  Placing placing({6, 2, 2});
  placing.problem.buffers[0].versions = 3;
  placing.conflicts.add(0, 1, {0, 64});
  EXPECT_EQ(placing.place(6), Outcome::Placed);
  // D may overlap neither C nor A1: one lies over A0, the other over A2.
  placing.conflicts.set(1, 2);
  placing.conflicts.add(0, 2, {0, 64});
  EXPECT_EQ(placing.place(6), Outcome::Placed);
  // Now D may not overlap A2 either.
  placing.conflicts.add(0, 2, {32, 96});
  EXPECT_EQ(placing.place(6), Outcome::Placed);
  placing.pins[1] = 0;
  EXPECT_EQ(placing.place(6), Outcome::Impossible);
  using Used = std::set<std::pair<size_t, size_t>>;
  EXPECT_EQ(placing.placer.core(), (Used{{0, 2}}));
}

TEST(ExactPlacerTest, AlignmentCostsBytes) {
  Placing placing({1, 4});
  placing.problem.buffers[1].alignmentBytes = 64;
  placing.conflicts.set(0, 1);
  ASSERT_EQ(placing.place(5), Outcome::Placed);
  placing.pins[0] = 0;
  EXPECT_EQ(placing.place(7), Outcome::Impossible);
  EXPECT_EQ(placing.place(8), Outcome::Placed);
}

TEST(ExactPlacerTest, StepsEndASearch) {
  Placing placing({1, 2, 3, 4, 5, 6, 7});
  for (size_t one = 0; one != 7; ++one)
    for (size_t other = 0; other != one; ++other)
      if ((one + other) % 3 != 0)
        placing.conflicts.set(one, other);
  EXPECT_EQ(placing.place(20, 10), Outcome::OutOfSteps);
  EXPECT_LE(placing.placer.steps(), 100);
}

TEST(ExactPlacerTest, RandomConflictsArePlacedExactlyIfTheyCanBe) {
  int placed = 0, impossible = 0;
  for (unsigned seed = 0; seed != 3000; ++seed) {
    std::mt19937 random(seed);
    auto below = [&](int limit) { return static_cast<int64_t>(random() % limit); };
    std::vector<int64_t> units(3 + below(3));
    for (int64_t &unit : units)
      unit = below(8) == 0 ? 0 : 1 + below(3);
    Placing placing(units);
    for (size_t one = 0; one != units.size(); ++one) {
      if (below(8) == 0)
        placing.pins[one] = 16 * below(3);
      if (below(5) == 0)
        placing.problem.buffers[one].alignmentBytes = 32;
      if (placing.pins[one].value_or(0) % placing.problem.buffers[one].alignmentBytes != 0)
        placing.pins[one].reset();
      for (size_t other = 0; other != one; ++other) {
        if (below(3) == 0)
          placing.conflicts.set(one, other);
        if (units[one] == 0 || units[other] == 0)
          continue;
        for (int64_t count = below(3); count-- > 0;) {
          int64_t above = 16 * (below(5) - 3);
          placing.conflicts.add(one, other, {above, above + 16 * (2 + below(3))});
        }
      }
    }
    int64_t limit = 3 + below(4);
    Outcome outcome = placing.place(limit);
    ASSERT_NE(outcome, Outcome::OutOfSteps);
    EXPECT_EQ(outcome == Outcome::Placed, placing.canBePlaced(limit)) << "seed " << seed;
    placed += outcome == Outcome::Placed;
    impossible += outcome == Outcome::Impossible;
  }
  EXPECT_GT(placed, 500);
  EXPECT_GT(impossible, 500);
}

} // namespace
