// Text can be read in both themes: at least 4.5:1, as WCAG 2.1 asks of text.
// Run alone: unit_tests --gtest_filter='*Theme*'
#include "viewer/panels/theme.h"

#include "core/support/buffer_key.h"
#include "core/support/colour.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace tilescope {
namespace {

constexpr double LeastContrast = 4.5;

double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(ImU32 color) {
  auto part = [&](int shift) { return linear(((color >> shift) & 255) / 255.0); };
  return 0.2126 * part(IM_COL32_R_SHIFT) + 0.7152 * part(IM_COL32_G_SHIFT) +
         0.0722 * part(IM_COL32_B_SHIFT);
}

double contrast(ImU32 a, ImU32 b) {
  double brighter = std::max(luminance(a), luminance(b));
  return (brighter + 0.05) / (std::min(luminance(a), luminance(b)) + 0.05);
}

// What is seen of a colour on an opaque one.
ImU32 over(ImU32 color, ImU32 paper) {
  double alpha = ((color >> IM_COL32_A_SHIFT) & 255) / 255.0;
  auto part = [&](int shift) {
    double mixed = ((color >> shift) & 255) * alpha + ((paper >> shift) & 255) * (1 - alpha);
    return static_cast<ImU32>(std::lround(mixed)) << shift;
  };
  return part(IM_COL32_R_SHIFT) | part(IM_COL32_G_SHIFT) | part(IM_COL32_B_SHIFT) | IM_COL32_A_MASK;
}

std::set<int> huesOfBuffers() {
  std::set<int> hues;
  for (int64_t ordinal = 0; ordinal != 1000; ++ordinal)
    hues.insert(hueDegrees({"f", "b", ordinal, ""}));
  return hues;
}

class ThemeTest : public testing::TestWithParam<bool> {
protected:
  Theme theme = GetParam() ? Theme::dark() : Theme::light();
  ImU32 background = theme.color(Meaning::Background);
  ImU32 on(Meaning meaning) const { return over(theme.color(meaning), background); }
};

TEST_P(ThemeTest, TextStandsOutOfEveryBackground) {
  for (Meaning paper : {Meaning::Background, Meaning::Raised, Meaning::Selected, Meaning::Hovered})
    for (Meaning text : {Meaning::Text, Meaning::Quiet, Meaning::Accent, Meaning::Bad,
                         Meaning::Good, Meaning::Notice, Meaning::Capacity, Meaning::Occupancy,
                         Meaning::HighWater, Meaning::Keyword, Meaning::String, Meaning::Number})
      EXPECT_GE(contrast(theme.color(text), on(paper)), LeastContrast)
          << "text " << int(text) << " on " << int(paper);
}

TEST_P(ThemeTest, TextStandsOutOfWhatMarksIt) {
  for (Meaning paper : {Meaning::Added, Meaning::AddedWord, Meaning::Removed, Meaning::RemovedWord,
                        Meaning::Modified, Meaning::ModifiedWord, Meaning::Hit})
    for (Meaning text : {Meaning::Text, Meaning::Keyword, Meaning::String, Meaning::Number})
      EXPECT_GE(contrast(theme.color(text), on(paper)), LeastContrast)
          << "text " << int(text) << " on " << int(paper);
}

TEST_P(ThemeTest, NamesOfBuffersStandOut) {
  for (int hue : huesOfBuffers()) {
    for (Meaning paper : {Meaning::Background, Meaning::Raised, Meaning::Selected})
      EXPECT_GE(contrast(theme.bufferLine(hue), on(paper)), LeastContrast) << hue;
    EXPECT_GE(contrast(theme.bufferText(hue), theme.bufferFill(hue)), LeastContrast) << hue;
  }
}

TEST_P(ThemeTest, DimmedLabelsStandOut) {
  for (int hue : huesOfBuffers()) {
    ImU32 fill = over(theme.bufferFill(hue, Theme::DimmedAlpha), background);
    EXPECT_GE(contrast(theme.color(Meaning::Quiet), fill), LeastContrast) << hue;
  }
}

// Neighbouring hues are told apart by how bright they are.
TEST_P(ThemeTest, NeighbouringHuesDifferInBrightness) {
  std::set<int> hues = huesOfBuffers();
  for (auto hue = hues.begin(); std::next(hue) != hues.end(); ++hue) {
    EXPECT_GE(contrast(theme.bufferFill(*hue), theme.bufferFill(*std::next(hue))), 1.15) << *hue;
    EXPECT_GE(contrast(theme.bufferLine(*hue), theme.bufferLine(*std::next(hue))), 1.15) << *hue;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, ThemeTest, testing::Bool(),
                         [](const testing::TestParamInfo<bool> &info) {
                           return info.param ? "dark" : "light";
                         });

} // namespace
} // namespace tilescope
