// A picture of what Dear ImGui draws, without a display: EGL on Mesa's software rasteriser.
#pragma once

#include "viewer/app/graphics_libraries.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <imgui.h>

#include <memory>
#include <string>
#include <vector>

namespace tilescope {

// Rows from the top, RGBA, 8 bits each.
struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<unsigned char> rgba;
};

// An OpenGL context that draws into memory, for the Dear ImGui context that is current.
class Offscreen {
public:
  static llvm::Expected<std::unique_ptr<Offscreen>> open(int width, int height);
  virtual ~Offscreen() = default;
  // One frame: `draw` is called between ImGui::NewFrame and ImGui::Render.
  virtual void frame(llvm::function_ref<void()> draw) = 0;
  // Of the last frame.
  virtual Pixels pixels() = 0;
};

// Fills the current OpenGL context with the background of the theme and draws on it what Dear ImGui
// has rendered.
void drawRendered(const OpenGlFunctions &openGl, int width, int height);

// Of the current OpenGL context.
Pixels readPixels(const OpenGlFunctions &openGl, int width, int height);

// The part [left, right) x [top, bottom), as x, y, z, w; what lies outside is left out.
Pixels crop(const Pixels &pixels, const ImVec4 &part);

std::string toPng(const Pixels &pixels);

} // namespace tilescope
