// Labels stand whole: what does not is known, and no panel has any in the window.
#include "panel_fixture.h"

#include "viewer/panels/widgets/picture.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

// What is cut of what `draw` draws into a window of 300 pixels.
template <typename Draw> std::vector<CutText> cutOf(Draw draw) {
  HeadlessImGui imgui;
  CutTexts texts;
  for (int frame = 0; frame < 2; ++frame) // the first one learns sizes
    imgui.frame([&] {
      texts.clear();
      ImGui::SetNextWindowPos(ImVec2(0, 0));
      ImGui::SetNextWindowSize(ImVec2(300, 300));
      ImGui::Begin("window");
      CutTexts::Recording recording(texts);
      draw(imgui.theme);
      ImGui::End();
    });
  return texts.all();
}

Box boxOf(float width, float height = 20) {
  return {ImVec2(20, 40), ImVec2(20 + width, 40 + height)};
}

TEST(CutTexts, ALabelWithoutRoomIsLeftOutAndTold) {
  std::vector<CutText> cut = cutOf([](const Theme &theme) {
    Picture picture(theme);
    EXPECT_TRUE(picture.label(boxOf(100), "prologue", 0));
    EXPECT_FALSE(picture.label(boxOf(30), "prologue", 0));
    EXPECT_FALSE(picture.centeredLabel(boxOf(30), "epilogue", 0));
    EXPECT_TRUE(picture.uprightLabel(boxOf(20, 100), "A_shared", 0));
    EXPECT_FALSE(picture.uprightLabel(boxOf(20, 30), "B_shared", 0));
  });
  ASSERT_EQ(cut.size(), 3u);
  for (const CutText &text : cut) {
    EXPECT_EQ(text.kind, TextKind::Label);
    EXPECT_EQ(text.shown, "");
  }
  EXPECT_EQ(cut[0].text, "prologue");
  EXPECT_EQ(cut[1].text, "epilogue");
  EXPECT_EQ(cut[2].text, "B_shared");
}

TEST(CutTexts, WhatIsScrolledOutIsNotCut) {
  EXPECT_TRUE(cutOf([](const Theme &theme) {
                Picture picture(theme);
                picture.label({ImVec2(20, 900), ImVec2(50, 920)}, "prologue", 0);
              }).empty());
}

TEST(CutTexts, ListingsEndBetweenWords) {
  std::vector<CutText> cut = cutOf([](const Theme &theme) {
    Picture picture(theme);
    picture.listing(boxOf(16 * picture.character), "copy(A[i], A_shared[0])", 0);
    picture.listing(boxOf(8 * picture.character), "A_long_name_of_a_buffer", 0);
  });
  ASSERT_EQ(cut.size(), 2u);
  EXPECT_EQ(cut[0].kind, TextKind::Listing);
  EXPECT_EQ(cut[0].shown, "copy(A[i],\xE2\x80\xA6");
  EXPECT_EQ(cut[1].shown, "A_long_\xE2\x80\xA6"); // one word
}

TEST(CutTexts, ColumnsOfAWidthOfTheirOwnHoldLabels) {
  std::vector<CutText> cut = cutOf([](const Theme &theme) {
    constexpr TableColumn Columns[] = {{"KiB", 4}, {"statement"}};
    Table table("table", Columns, theme);
    ASSERT_TRUE(table.isVisible());
    table.row(0, {});
    table.cell("1,048,576");
    table.cell("a statement that is longer than all of this window, whatever one does");
  });
  ASSERT_EQ(cut.size(), 2u);
  EXPECT_EQ(cut[0].kind, TextKind::Label);
  EXPECT_EQ(cut[0].text, "1,048,576");
  EXPECT_EQ(cut[1].kind, TextKind::Listing);
}

TEST(CutTexts, LinesBreakBetweenWordsAndThoseOfAHeadlineBetweenItsParts) {
  HeadlessImGui imgui;
  imgui.frame([&] {
    float digit = ImGui::CalcTextSize("0").x;
    using Lines = std::vector<std::string>;
    EXPECT_EQ(linesOf("one two three", 8 * digit), (Lines{"one two", "three"}));
    EXPECT_EQ(linesOf("one two", 20 * digit), (Lines{"one two"}));
    EXPECT_EQ(linesOf("160 KiB, optimal, need 79 KiB less", 24 * digit),
              (Lines{"160 KiB, optimal, need", "79 KiB less"}));
    EXPECT_EQ(linesOfHeadline("160 KiB, optimal, need 79 KiB less", 24 * digit),
              (Lines{"160 KiB, optimal,", "need 79 KiB less"}));
    EXPECT_EQ(linesOfHeadline("a, bcdefgh ijklmn opqrst", 20 * digit),
              (Lines{"a, bcdefgh ijklmn", "opqrst"}));
    EXPECT_EQ(linesOf("abcdefghij", 4 * digit), (Lines{"abcd", "efgh", "ij"}));
    EXPECT_EQ(linesOf("a\nb", 4 * digit), (Lines{"a", "b"}));
    EXPECT_EQ(linesOf("", 4 * digit), (Lines{""}));
  });
}

TEST(CutTexts, RowsThatWrapAreAsHighAsTheirText) {
  HeadlessImGui imgui;
  CutTexts texts;
  std::vector<float> tops;
  for (int frame = 0; frame < 3; ++frame)
    imgui.frame([&] {
      tops.clear();
      texts.clear();
      ImGui::SetNextWindowPos(ImVec2(0, 0));
      ImGui::SetNextWindowSize(ImVec2(300, 300));
      ImGui::Begin("window");
      CutTexts::Recording recording(texts);
      {
        constexpr TableColumn Columns[] = {{"KiB", 4}, {"statement"}};
        Table table("table", Columns, imgui.theme);
        table.wrapTexts();
        table.forVisibleRows(3, [&](size_t row) {
          table.row(row, {});
          tops.push_back(ImGui::GetItemRectMin().y);
          table.cell("1");
          table.cell(row == 0 ? "a statement that is longer than all of this window is" : "short");
        });
      }
      ImGui::End();
    });
  ASSERT_EQ(tops.size(), 3u);
  EXPECT_GT(tops[1] - tops[0], 1.9F * (tops[2] - tops[1]) - 4);
  EXPECT_TRUE(texts.all().empty());
}

} // namespace
} // namespace tilescope
