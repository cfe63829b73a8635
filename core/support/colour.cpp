#include "core/support/colour.h"

#include <cstdlib>

namespace tilescope {

Rgb fromHsl(int hueDegrees, int saturationPercent, int lightnessPercent) {
  // In units of 1 / 10,000. chroma = (1 - |2 L - 1|) * S; see any text on HSL.
  int chroma = (100 - std::abs(2 * lightnessPercent - 100)) * saturationPercent;
  int ramp = std::abs(hueDegrees % 120 - 60); // 60 at the ends of a pair of sectors, 0 between
  int second = chroma * (60 - ramp) / 60;
  int least = lightnessPercent * 100 - chroma / 2;
  int sector = hueDegrees % 360 / 60;
  static constexpr int Parts[6][3] = {{2, 1, 0}, {1, 2, 0}, {0, 2, 1},
                                      {0, 1, 2}, {1, 0, 2}, {2, 0, 1}};
  const int amounts[3] = {least, least + second, least + chroma};
  auto byte = [&](int part) {
    return static_cast<uint8_t>((amounts[Parts[sector][part]] * 255 + 5000) / 10000);
  };
  return {byte(0), byte(1), byte(2)};
}

int lightnessOf(int hueDegrees) {
  for (const BufferColour &colour : BufferColours)
    if (colour.hueDegrees == hueDegrees)
      return colour.lightnessPercent;
  return 50;
}

Rgb paperFill(int hueDegrees) {
  return fromHsl(hueDegrees, 65, 70 + lightnessOf(hueDegrees) * 16 / 100);
}

std::string toHex(const Rgb &colour) {
  static constexpr char Digits[] = "0123456789abcdef";
  std::string text = "#";
  for (uint8_t part : {colour.red, colour.green, colour.blue}) {
    text += Digits[part >> 4];
    text += Digits[part & 15];
  }
  return text;
}

int terminalColour(const Rgb &colour) {
  // Steps of the cube: 0, 95, 135, 175, 215, 255.
  auto step = [](int part) { return part < 48 ? 0 : part < 115 ? 1 : (part - 35) / 40; };
  return 16 + 36 * step(colour.red) + 6 * step(colour.green) + step(colour.blue);
}

} // namespace tilescope
