// Run alone: unit_tests --gtest_filter='Zoom*'
#include "panel_fixture.h"

#include "viewer/panels/widgets/zoom_view.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

ZoomAxis placed(double size, Stretch domain, double rest) {
  ZoomAxis axis;
  axis.place(100, size, domain, rest);
  return axis;
}

TEST(ZoomAxis, ShowsAllOfItsDomainAtRest) {
  ZoomAxis axis = placed(500, {0, 1000}, 0);
  EXPECT_DOUBLE_EQ(axis.pixel(0), 100);
  EXPECT_DOUBLE_EQ(axis.pixel(1000), 600);
  axis.place(100, 250, {0, 1000}, 0); // the window became narrower
  EXPECT_DOUBLE_EQ(axis.pixel(1000), 350);
}

TEST(ZoomAxis, KeepsTheUnitUnderThePointer) {
  ZoomAxis axis = placed(500, {0, 1000}, 0);
  double unit = axis.unit(300);
  for (int step = 0; step != 10; ++step) {
    axis.zoom(1.25, 300);
    EXPECT_NEAR(axis.unit(300), unit, 1e-6);
  }
  for (int step = 0; step != 40; ++step)
    axis.zoom(1 / 1.25, 300);
  EXPECT_NEAR(axis.pixel(0), 100, 1e-6); // not farther out than all of it
  EXPECT_NEAR(axis.pixel(1000), 600, 1e-6);
}

TEST(ZoomAxis, StaysWithinItsDomain) {
  ZoomAxis axis = placed(500, {0, 1000}, 2); // 250 units are seen
  axis.pan(1e9);
  EXPECT_DOUBLE_EQ(axis.shown().begin, 0);
  axis.pan(-1e9);
  EXPECT_DOUBLE_EQ(axis.shown().end, 1000);
  axis.place(100, 500, {0, 100}, 2); // another pass has fewer rows
  EXPECT_DOUBLE_EQ(axis.shown().begin, 0);
}

TEST(ZoomAxis, ShowsAPartAndScrollsToIt) {
  ZoomAxis axis = placed(500, {0, 1000}, 2);
  axis.reveal({600, 610});
  EXPECT_DOUBLE_EQ(axis.shown().end, 610);
  axis.show({400, 500});
  EXPECT_DOUBLE_EQ(axis.pixel(400), 100);
  EXPECT_DOUBLE_EQ(axis.pixel(500), 600);
  EXPECT_FALSE(axis.isAtRest());
  axis.reset();
  EXPECT_TRUE(axis.isAtRest());
}

// The window of a test: a picture of 1000 x 1000 units on 500 x 500 pixels.
class ZoomViewTest : public testing::Test {
protected:
  void frame(std::optional<Region> target = std::nullopt, bool fits = false,
             std::optional<Command> command = std::nullopt) {
    imgui.frame([&] {
      ImGui::SetNextWindowPos(ImVec2(0, 0));
      ImGui::SetNextWindowSize(ImVec2(600, 600));
      ImGui::Begin("picture", nullptr, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoTitleBar);
      CommandSet commands;
      if (fits)
        commands.give(Command::Fit);
      if (command)
        commands.give(*command);
      PanelContext context{document, states, selection, imgui.theme, kernel,
                           commands, given,  places,    true};
      Box box{ImVec2(50, 50), ImVec2(50 + size, 50 + size)};
      view.update(context, "view", box, box, {{0, 1000}, {0, 1000}}, restY, target, leastY);
      view.drawBars(context, /*isHinted=*/true);
      ImGui::End();
    });
  }

  HeadlessImGui imgui;
  IgnoredKernel kernel;
  CommandSet given;
  PassStates states;
  Document document;
  Selection selection;
  Places places;
  ZoomView view;
  float size = 500;
  double restY = 0, leastY = 0;
};

TEST_F(ZoomViewTest, CtrlAndWheelZoomAndDragPans) {
  ImGuiIO &io = ImGui::GetIO();
  io.MousePos = ImVec2(300, 300);
  frame();
  frame();
  EXPECT_TRUE(view.isHovered());
  io.KeyCtrl = true;
  io.MouseWheel = 3;
  frame();
  io.KeyCtrl = false;
  EXPECT_LT(view.x.shown().length(), 600);
  EXPECT_NEAR(view.x.unit(300), 500, 1);
  Stretch before = view.x.shown();
  io.MouseDown[0] = true;
  frame();
  for (float x : {290.0F, 270.0F, 250.0F}) {
    io.MousePos = ImVec2(x, 300);
    frame();
  }
  io.MouseDown[0] = false;
  frame();
  EXPECT_FALSE(view.isClicked()); // it was dragged
  EXPECT_GT(view.x.shown().begin, before.begin);
}

TEST_F(ZoomViewTest, ABarScrollsWhereNotAllIsSeen) {
  ImGuiIO &io = ImGui::GetIO();
  Region part{{0, 100}, {0, 100}};
  io.MousePos = ImVec2(547, 60);
  frame(part);
  frame(part);
  EXPECT_TRUE(view.isHovered()); // all is seen: there is no bar
  frame(part, true);
  frame(part);
  EXPECT_FALSE(view.isHovered());
  Stretch before = view.y.shown(), beside = view.x.shown();
  io.MouseDown[0] = true;
  frame(part);
  io.MousePos = ImVec2(547, 160);
  frame(part);
  io.MouseDown[0] = false;
  frame(part);
  EXPECT_FALSE(view.isClicked());
  EXPECT_NEAR(view.y.shown().begin, before.begin + 200, 25); // 100 of the 500 pixels
  EXPECT_NEAR(view.x.shown().begin, beside.begin, 1e-6);
}

TEST_F(ZoomViewTest, PagesScroll) {
  Region part{{0, 100}, {0, 100}};
  frame(part);
  frame(part, true);
  double length = view.y.shown().length(), begin = view.y.shown().begin;
  frame(part, false, Command::PageDown);
  EXPECT_NEAR(view.y.shown().begin, begin + 0.9 * length, 1e-6);
  frame(part, false, Command::PageUp);
  EXPECT_NEAR(view.y.shown().begin, begin, 1e-6);
}

TEST_F(ZoomViewTest, FitMakesNoRowTooLowForItsName) {
  restY = 20;
  leastY = 13;
  frame();
  frame(std::nullopt, true);
  EXPECT_NEAR(view.y.unitPixels(), 13, 1e-6);
  EXPECT_NEAR(view.y.shown().begin, 0, 1e-6); // from the first row on
  EXPECT_TRUE(view.x.isWhole());
  size = 250;
  frame();
  EXPECT_NEAR(view.y.unitPixels(), 13, 1e-6);
}

TEST_F(ZoomViewTest, SaysHowLittleIsSeen) {
  auto isSaid = [&] {
    places.clear();
    frame();
    return places.all().contains("view hint");
  };
  EXPECT_FALSE(isSaid()); // all is seen
  restY = 2;
  EXPECT_TRUE(isSaid()); // a quarter
  restY = 0.6;
  EXPECT_FALSE(isSaid()); // most of it
  restY = 2;
  frame(std::nullopt, true);
  EXPECT_FALSE(isSaid()); // all again
}

TEST_F(ZoomViewTest, FitsAgainWhenItIsResized) {
  Region target{{200, 400}, {200, 400}};
  frame(target);
  frame(target, true);
  Stretch before = view.x.shown();
  size = 250;
  frame(target);
  EXPECT_NEAR(view.x.shown().begin, before.begin, 1e-6);
  EXPECT_NEAR(view.x.shown().end, before.end, 1e-6);
  EXPECT_NEAR(view.y.shown().end, before.end, 1e-6);
}

TEST_F(ZoomViewTest, FitShowsTheTargetThenAllThenRests) {
  Region target{{200, 400}, {200, 400}};
  frame(target);
  frame(target, true);
  EXPECT_LT(view.x.shown().length(), 300);
  EXPECT_LE(view.x.shown().begin, 200);
  EXPECT_GE(view.x.shown().end, 400);
  frame(target, true);
  EXPECT_NEAR(view.x.shown().length(), 1000, 1e-6);
  EXPECT_FALSE(view.x.isAtRest());
  frame(target, true);
  EXPECT_TRUE(view.x.isAtRest());
}

} // namespace
} // namespace tilescope
