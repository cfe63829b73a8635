// Where the parts of an arena lie in a picture. Run alone: unit_tests --gtest_filter='ArenaLayout*'
#include "viewer/panels/widgets/arena_layout.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

// A byte is a pixel, a row ten.
ZoomView zoomOf(int64_t bytes, double rows) {
  ZoomView zoom;
  zoom.x.place(0, static_cast<double>(bytes), {0, static_cast<double>(bytes)}, 0);
  zoom.y.place(0, rows * 10, {0, rows}, 0);
  return zoom;
}

// big holds [0, 64) at points [0, 4), small [32, 48) at [2, 6), in conflict.
ArenaFunction conflict() {
  ArenaFunction function;
  function.buffers.resize(2);
  function.buffers[0] = {.buffer = BufferId(7),
                         .name = "big",
                         .sizeBytes = 64,
                         .versions = 4,
                         .strideBytes = 16,
                         .live = {{0, 4}}};
  function.buffers[1] = {
      .buffer = BufferId(9), .name = "small", .offsetBytes = 32, .sizeBytes = 16, .live = {{2, 6}}};
  function.ranges = {{0, 64}, {32, 48}};
  function.boxes = {{0, 0, 4}, {1, 2, 6}};
  function.pointCount = 6;
  return function;
}

TEST(ArenaLayoutTest, TheSmallestBoxUnderAPixelCounts) {
  ArenaFunction function = conflict();
  ZoomView zoom = zoomOf(64, 8);
  ArenaLayout layout(function, zoom, 0, /*hasHeading=*/true);
  EXPECT_EQ(layout.pointRow(), 1);
  EXPECT_EQ(layout.boxAt(ImVec2(40, 15)), &function.boxes[0]);
  EXPECT_EQ(layout.boxAt(ImVec2(40, 35)), &function.boxes[1]);
  EXPECT_EQ(layout.boxAt(ImVec2(10, 35)), &function.boxes[0]);
  EXPECT_EQ(layout.boxAt(ImVec2(40, 65)), &function.boxes[1]);
  EXPECT_EQ(layout.boxAt(ImVec2(10, 65)), nullptr);
  EXPECT_EQ(layout.boxAt(ImVec2(40, 5)), nullptr); // the heading
}

TEST(ArenaLayoutTest, BuffersLieAtTheirBytesAndPoints) {
  ArenaFunction function = conflict();
  ZoomView zoom = zoomOf(64, 8);
  ArenaLayout layout(function, zoom, 0, /*hasHeading=*/false);
  Box box = layout.boxOf(function.boxes[1]);
  EXPECT_EQ(box.min.x, 32);
  EXPECT_EQ(box.max.x, 48);
  EXPECT_EQ(box.min.y, 20);
  EXPECT_EQ(box.max.y, 60);
  EXPECT_EQ(layout.regionOf(BufferId(9))->x.begin, 32);
  EXPECT_FALSE(layout.regionOf(BufferId(8)));
  EXPECT_FALSE(layout.regionOf(BufferId()));
  EXPECT_EQ(layout.versionAt(function.buffers[0], 40), 2);
  EXPECT_EQ(layout.versionAt(function.buffers[1], 40), -1);
  EXPECT_FALSE(layout.heading(box, 10));
}

// Static arrays are there even where nothing is planned.
TEST(ArenaLayoutTest, WhatLiesOutsideHasRowsOfItsOwn) {
  ArenaFunction function;
  ZoomView zoom = zoomOf(64, 8);
  EXPECT_EQ(ArenaLayout(function, zoom, 0, false).rowCount(), 0);
  function.outside.resize(1);
  ArenaLayout layout(function, zoom, 0, false);
  EXPECT_GT(layout.rowCount(), 0);
  EXPECT_EQ(layout.livesOf(function.outside[0]),
            (std::vector<LiveInterval>{{0, layout.rowCount()}}));
}

} // namespace
} // namespace tilescope
