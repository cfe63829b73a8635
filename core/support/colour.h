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

// Colours of buffers: any two of them differ by more than 20 in CIELAB as fills and as texts of the
// window, dark and light, also to eyes that do not see red, green or blue.
struct BufferColour {
  int hueDegrees = 0;
  int lightnessPercent = 0; // between the darkest and the lightest
};
inline constexpr BufferColour BufferColours[] = {{244, 50}, {30, 0},   {268, 0},
                                                 {174, 0},  {48, 100}, {168, 100}};
// The hues of these in the order in which buffers get them: see buffer_hues.h.
inline constexpr int OrderedHues[] = {168, 30, 268, 48, 244, 174};
// Of a hue of theirs; 50 of others.
int lightnessOf(int hueDegrees);
// What fills a buffer in a picture on white paper.
Rgb paperFill(int hueDegrees);

// "#1f77b4"
std::string toHex(const Rgb &colour);

// The nearest of the 6 x 6 x 6 cube of a terminal with 256 colours: 16 to 231.
int terminalColour(const Rgb &colour);

} // namespace tilescope
