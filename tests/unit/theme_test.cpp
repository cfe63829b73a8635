// Text can be read in both themes: at least 4.5:1, as WCAG 2.1 asks of text.
// Run alone: unit_tests --gtest_filter='*Theme*'
#include "viewer/panels/theme.h"

#include "core/support/buffer_key.h"
#include "core/support/colour.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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

// CIELAB of linear sRGB, D65.
std::array<double, 3> labOf(const std::array<double, 3> &rgb) {
  auto curve = [](double t) {
    return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
  };
  double x = 0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2];
  double y = 0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2];
  double z = 0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2];
  double fx = curve(x / 0.95047), fy = curve(y), fz = curve(z / 1.08883);
  return {116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)};
}

// What eyes see: all of it, and without one kind of cones (Machado, Oliveira and Fernandes 2009,
// severity 1; rows of a matrix on linear sRGB).
struct Vision {
  const char *name;
  double rows[3][3];
};
constexpr Vision Visions[] = {{"all", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                              {"protan",
                               {{0.152286, 1.052583, -0.204868},
                                {0.114503, 0.786281, 0.099216},
                                {-0.003882, -0.048116, 1.051998}}},
                              {"deutan",
                               {{0.367322, 0.860646, -0.227968},
                                {0.280085, 0.672501, 0.047413},
                                {-0.011820, 0.042940, 0.968881}}},
                              {"tritan",
                               {{1.255528, -0.076749, -0.178779},
                                {-0.078411, 0.930809, 0.147602},
                                {0.004733, 0.691367, 0.303900}}}};

std::array<double, 3> seenAs(ImU32 color, const Vision &vision) {
  double rgb[3] = {linear(((color >> IM_COL32_R_SHIFT) & 255) / 255.0),
                   linear(((color >> IM_COL32_G_SHIFT) & 255) / 255.0),
                   linear(((color >> IM_COL32_B_SHIFT) & 255) / 255.0)};
  std::array<double, 3> seen = {};
  for (size_t row = 0; row != 3; ++row)
    seen[row] = std::clamp(vision.rows[row][0] * rgb[0] + vision.rows[row][1] * rgb[1] +
                               vision.rows[row][2] * rgb[2],
                           0.0, 1.0);
  return labOf(seen);
}

double differenceOf(ImU32 a, ImU32 b, const Vision &vision) {
  std::array<double, 3> x = seenAs(a, vision), y = seenAs(b, vision);
  return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

TEST_P(ThemeTest, BuffersAreToldApartByAllEyes) {
  constexpr double LeastDifference = 20;
  for (const Vision &vision : Visions)
    for (const BufferColour &a : BufferColours)
      for (const BufferColour &b : BufferColours) {
        if (a.hueDegrees >= b.hueDegrees)
          continue;
        EXPECT_GE(
            differenceOf(theme.bufferFill(a.hueDegrees), theme.bufferFill(b.hueDegrees), vision),
            LeastDifference)
            << vision.name << ", fills " << a.hueDegrees << " and " << b.hueDegrees;
        EXPECT_GE(
            differenceOf(theme.bufferLine(a.hueDegrees), theme.bufferLine(b.hueDegrees), vision),
            LeastDifference)
            << vision.name << ", texts " << a.hueDegrees << " and " << b.hueDegrees;
      }
}

INSTANTIATE_TEST_SUITE_P(Both, ThemeTest, testing::Bool(),
                         [](const testing::TestParamInfo<bool> &info) {
                           return info.param ? "dark" : "light";
                         });

} // namespace
} // namespace tilescope
