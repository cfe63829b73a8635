// What becomes of a plan when one buffer is moved to another place.
// Run alone: unit_tests --gtest_filter='ArenaMoveTest.*'
#include "core/views/arena_move.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

ArenaRow row(const char *name, int64_t offset, int64_t size, int64_t alignment,
             std::vector<LiveInterval> live) {
  ArenaRow row;
  row.name = name;
  row.offsetBytes = offset;
  row.sizeBytes = size;
  row.alignmentBytes = alignment;
  row.live = std::move(live);
  return row;
}

//     bytes    0    64   128   192   256
//     point 0  | A  |  B         |
//           2  | C  |  B         |
constexpr uint32_t A = 0, C = 1, B = 2;
ArenaFunction arena() {
  ArenaFunction function;
  function.preview = false;
  function.capacityBytes = 256;
  function.buffers = {row("A", 0, 64, 16, {{0, 2}}), row("C", 0, 64, 16, {{2, 4}}),
                      row("B", 64, 128, 64, {{0, 2}, {3, 4}})};
  return function;
}

TEST(ArenaMoveTest, FreeBytesAreSound) {
  ArenaMove move = judgeMove(arena(), C, 192);
  EXPECT_TRUE(move.isSound());
  EXPECT_EQ(move.heightBytes, 256);
  EXPECT_EQ(toText(move, arena()), "C at 192: the arena ends at 256");
  EXPECT_TRUE(judgeMove(arena(), A, 0).isSound()); // C has the same bytes later
}

TEST(ArenaMoveTest, WhatIsInTheWayIsSaidWithBytesAndPoints) {
  ArenaMove move = judgeMove(arena(), C, 48);
  EXPECT_FALSE(move.isSound());
  EXPECT_EQ(move.conflicts, (std::vector<ArenaConflict>{{C, B, 64, 112, {3, 4}}}));
  EXPECT_EQ(toText(judgeMove(arena(), B, 0), arena()),
            "B at 0: A holds bytes [0, 64) at points [0, 2)\n"
            "C holds bytes [0, 64) at points [3, 4)");
}

TEST(ArenaMoveTest, ALifeThatMayBeShorterIsNoCertainConflict) {
  ArenaFunction function = arena();
  function.unknown = {"versions"};
  ArenaMove move = judgeMove(function, C, 128);
  EXPECT_FALSE(move.isSound());
  EXPECT_EQ(toText(move, function), "C at 128: B may hold bytes [128, 192) at points [3, 4)");
}

TEST(ArenaMoveTest, AViewMayHaveTheBytesOfWhatItIsMadeFrom) {
  ArenaFunction function = arena();
  function.buffers[C].viewOf = "B";
  EXPECT_TRUE(judgeMove(function, C, 128).isSound());
}

TEST(ArenaMoveTest, AlignmentAndCapacityRefuseToo) {
  EXPECT_EQ(toText(judgeMove(arena(), B, 96), arena()), "B at 96: no multiple of 64");
  EXPECT_EQ(toText(judgeMove(arena(), B, 192), arena()), "B at 192: 64 bytes over the capacity");
  EXPECT_EQ(alignedOffset(arena().buffers[B], 95), 64);
  EXPECT_EQ(alignedOffset(arena().buffers[B], 97), 128);
  EXPECT_EQ(alignedOffset(arena().buffers[B], -500), 0);
}

TEST(ArenaMoveTest, KeysGoFromTouchToTouch) {
  EXPECT_EQ(nextTouch(arena(), C, 0, 1), 64);    // above A
  EXPECT_EQ(nextTouch(arena(), C, 64, 1), 192);  // above B, and at the capacity
  EXPECT_EQ(nextTouch(arena(), C, 192, 1), 192); // there is nothing higher
  EXPECT_EQ(nextTouch(arena(), C, 192, -1), 64);
  EXPECT_EQ(nextTouch(arena(), C, 0, -1), 0);
  EXPECT_EQ(nextTouch(arena(), B, 64, 1), 128); // ends at the capacity
}

} // namespace
} // namespace tilescope
