#include "core/views/selection.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

Pick pickOf(const char *name) { return Pick::ofBuffer({"kernel", name, 0, ""}); }

TEST(Selection, GoesBackAndForwardOverPassesAndPins) {
  Selection selection;
  selection.selectPass(3);
  selection.pin(pickOf("A_shared"));
  selection.back();
  EXPECT_TRUE(selection.pinned.isEmpty());
  EXPECT_EQ(selection.pass, 3u);
  selection.back();
  EXPECT_EQ(selection.pass, 0u);
  EXPECT_FALSE(selection.canGoBack());
  selection.forward();
  selection.forward();
  EXPECT_EQ(selection.pinned, pickOf("A_shared"));
  EXPECT_FALSE(selection.canGoForward());
}

TEST(Selection, ANewPlaceDropsWhatLayAhead) {
  Selection selection;
  selection.selectPass(1);
  selection.selectPass(2);
  selection.back();
  selection.selectPass(5);
  EXPECT_FALSE(selection.canGoForward());
  selection.back();
  EXPECT_EQ(selection.pass, 1u);
}

TEST(Selection, KnowsInWhichFrameABufferWasPinned) {
  Selection selection;
  selection.pin(pickOf("A_shared"));
  EXPECT_TRUE(selection.pinsBuffer());
  selection.beginFrame();
  EXPECT_FALSE(selection.pinsBuffer());
  selection.hovered = pickOf("B_shared");
  EXPECT_FALSE(selection.pinsBuffer());
  selection.pin(pickOf("A_shared")); // again
  EXPECT_TRUE(selection.pinsBuffer());
  selection.beginFrame();
  selection.pin(Pick{std::nullopt, -1, StmtId(3), 7});
  EXPECT_FALSE(selection.pinsBuffer());
}

TEST(Selection, StayingIsNoPlace) {
  Selection selection;
  selection.selectPass(0);
  selection.clear();
  EXPECT_FALSE(selection.canGoBack());
}

TEST(Selection, HoveringPreviewsWhatIsPinned) {
  Selection selection;
  selection.pin(pickOf("A_shared"));
  selection.hovered = pickOf("B_shared");
  EXPECT_EQ(selection.shown(), pickOf("B_shared"));
  selection.hovered = {};
  EXPECT_EQ(selection.shown(), pickOf("A_shared"));
}

TEST(Selection, WhatWasHoveredIsShownForOneFrameMore) {
  Selection selection;
  selection.hovered = pickOf("A_shared");
  selection.beginFrame();
  EXPECT_TRUE(selection.hovered.isEmpty());
  EXPECT_EQ(selection.shown(), pickOf("A_shared"));
  selection.hovered = pickOf("B_shared");
  EXPECT_EQ(selection.shown(), pickOf("B_shared"));
  selection.beginFrame();
  selection.beginFrame();
  EXPECT_TRUE(selection.shown().isEmpty());
}

} // namespace
} // namespace tilescope
