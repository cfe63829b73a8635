#include "viewer/app/fonts.h"

#include <cmath>
#include <cstddef>

// Written by CMake from the font files: see embed_file in CMakeLists.txt.
extern const unsigned char MonoFont[];
extern const size_t MonoFontSize;
extern const unsigned char StrongFont[];
extern const size_t StrongFontSize;

namespace tilescope {

namespace {

// Latin, Greek (deltas), punctuation, arrows, mathematical signs, box drawing, shapes, marks.
const ImWchar Ranges[] = {0x0020, 0x00FF, 0x0370, 0x03FF, 0x2010, 0x2027, 0x2030, 0x205E, 0x2190,
                          0x21FF, 0x2200, 0x22FF, 0x2500, 0x25FF, 0x2713, 0x2718, 0};

ImFont *addFont(const unsigned char *data, size_t size, float pixels) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.OversampleH = 2;
  // The atlas does not write to it.
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(
      const_cast<unsigned char *>(data), static_cast<int>(size), pixels, &config, Ranges);
}

} // namespace

void loadFonts(Theme &theme, float pixels) {
  ImGui::GetIO().Fonts->Clear();
  float size = std::round(pixels * theme.scale);
  theme.mono = addFont(MonoFont, MonoFontSize, size);
  theme.strong = addFont(StrongFont, StrongFontSize, size);
}

} // namespace tilescope
