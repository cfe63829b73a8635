// A picture of what Dear ImGui draws, without a display: EGL on Mesa's software rasteriser.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace tilescope {

// Rows from the top, RGBA, 8 bits each.
struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<unsigned char> rgba;
};

// Draws `frames` frames of one Dear ImGui context, which the caller made, and returns the last.
llvm::Expected<Pixels> drawOffscreen(int width, int height, int frames,
                                     llvm::function_ref<void()> drawFrame);

// Of the current OpenGL context.
Pixels readPixels(int width, int height);

// The part [left, right) x [top, bottom).
Pixels crop(const Pixels &pixels, int left, int top, int right, int bottom);

std::string toPng(const Pixels &pixels);

} // namespace tilescope
