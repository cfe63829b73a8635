// OpenGL, EGL and GLFW, loaded when a picture or a window is wanted: the program starts where they
// are not installed, and says which packages would bring them.
//
//   no EGL on this machine: libEGL.so.1 not found; on Debian: apt install libegl1 libgl1
//   libgl1-mesa-dri
#pragma once

#include "llvm/Support/Error.h"

#include <EGL/egl.h>
#include <GL/gl.h>

namespace tilescope {

// Debian's packages that pictures need.
constexpr const char *PicturePackages = "libegl1 libgl1 libgl1-mesa-dri";

// What we call ourselves; Dear ImGui loads what it needs.
struct OpenGlFunctions {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration.
#define OPENGL_FUNCTION(symbol, member) decltype(::symbol) *member = nullptr;
#include "viewer/app/graphics_functions.def"
};

struct EglFunctions {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration.
#define EGL_FUNCTION(symbol, member) decltype(::symbol) *member = nullptr;
#include "viewer/app/graphics_functions.def"
};

// For a picture.
llvm::Expected<EglFunctions> loadEgl();
llvm::Expected<OpenGlFunctions> loadOpenGl();

// For a window: GLFW, whose functions may be called from then on, and OpenGL.
llvm::Expected<OpenGlFunctions> loadWindowLibraries();
// May be asked by any thread.
bool areWindowLibrariesLoaded();

} // namespace tilescope
