// Run alone: unit_tests --gtest_filter='Colour*'
#include "core/support/buffer_key.h"
#include "core/support/colour.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

TEST(Colour, HslAtItsCorners) {
  EXPECT_EQ(toHex(fromHsl(0, 100, 50)), "#ff0000");
  EXPECT_EQ(toHex(fromHsl(60, 100, 50)), "#ffff00");
  EXPECT_EQ(toHex(fromHsl(120, 100, 50)), "#00ff00");
  EXPECT_EQ(toHex(fromHsl(180, 100, 50)), "#00ffff");
  EXPECT_EQ(toHex(fromHsl(240, 100, 50)), "#0000ff");
  EXPECT_EQ(toHex(fromHsl(300, 100, 50)), "#ff00ff");
  EXPECT_EQ(toHex(fromHsl(77, 0, 100)), "#ffffff");
  EXPECT_EQ(toHex(fromHsl(77, 100, 0)), "#000000");
}

TEST(Colour, HslBetween) {
  EXPECT_EQ(toHex(fromHsl(30, 100, 50)), "#ff8000");
  EXPECT_EQ(toHex(fromHsl(210, 50, 50)), "#4080bf");
  EXPECT_EQ(toHex(fromHsl(320, 60, 75)), "#e699cc");
}

TEST(Colour, BuffersHaveTheColoursOfBuffers) {
  std::set<int> hues, wanted;
  for (int64_t ordinal = 0; ordinal != 1000; ++ordinal)
    hues.insert(hueDegrees({"f", "b", ordinal, ""}));
  for (const BufferColour &colour : BufferColours)
    wanted.insert(colour.hueDegrees);
  EXPECT_EQ(hues, wanted);
  EXPECT_EQ(lightnessOf(48), 100);
  EXPECT_EQ(lightnessOf(111), 50);
}

// In the order in which kernels declare them.
TEST(Colour, NeighboursOfFlagshipKernelsHaveTheirOwn) {
  const std::vector<std::vector<std::string>> kernels = {
      {"Q_shared", "K_shared", "V_shared", "O_shared"}, {"A_shared", "B_shared", "C_shared"}};
  for (const std::vector<std::string> &names : kernels) {
    std::set<int> hues;
    for (const std::string &name : names)
      hues.insert(hueDegrees({"f", name, 0, ""}));
    EXPECT_EQ(hues.size(), names.size()) << names.front();
  }
}

TEST(Colour, TerminalCube) {
  EXPECT_EQ(terminalColour({0, 0, 0}), 16);
  EXPECT_EQ(terminalColour({255, 255, 255}), 231);
  EXPECT_EQ(terminalColour({255, 0, 0}), 196);
  EXPECT_EQ(terminalColour({95, 135, 175}), 67);
}

} // namespace
