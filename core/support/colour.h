// Colours as numbers, for pictures, terminals and the viewer.
#pragma once

#include <cstdint>
#include <string>

namespace tilescope {

struct Rgb {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;

  friend bool operator==(const Rgb &, const Rgb &) = default;
};

// Hue in degrees [0, 360), saturation and lightness in percent. Integer arithmetic: the same
// everywhere.
Rgb fromHsl(int hueDegrees, int saturationPercent, int lightnessPercent);

// How light a buffer of this hue is drawn, in three steps: 0, 1, 2. Hues of buffers lie 16 degrees
// apart, which the eye hardly tells apart, so that neighbours differ in lightness too.
int shadeOf(int hueDegrees);
inline constexpr int ShadeCount = 3;
// What fills a buffer in a picture on white paper.
Rgb paperFill(int hueDegrees);

// "#1f77b4"
std::string toHex(const Rgb &colour);

// The nearest of the 6 x 6 x 6 cube of a terminal with 256 colours: 16 to 231.
int terminalColour(const Rgb &colour);

} // namespace tilescope
