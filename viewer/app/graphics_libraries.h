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
  decltype(glViewport) *viewport = nullptr;
  decltype(glClearColor) *clearColor = nullptr;
  decltype(glClear) *clear = nullptr;
  decltype(glPixelStorei) *pixelStorei = nullptr;
  decltype(glReadPixels) *readPixels = nullptr;
  decltype(glFinish) *finish = nullptr;
};

struct EglFunctions {
  decltype(eglGetPlatformDisplay) *getPlatformDisplay = nullptr;
  decltype(eglInitialize) *initialize = nullptr;
  decltype(eglBindAPI) *bindApi = nullptr;
  decltype(eglChooseConfig) *chooseConfig = nullptr;
  decltype(eglCreatePbufferSurface) *createPbufferSurface = nullptr;
  decltype(eglCreateContext) *createContext = nullptr;
  decltype(eglMakeCurrent) *makeCurrent = nullptr;
  decltype(eglDestroyContext) *destroyContext = nullptr;
  decltype(eglDestroySurface) *destroySurface = nullptr;
  decltype(eglTerminate) *terminate = nullptr;
  decltype(eglGetError) *getError = nullptr;
};

// For a picture.
llvm::Expected<EglFunctions> loadEgl();
llvm::Expected<OpenGlFunctions> loadOpenGl();

// For a window: GLFW, whose functions may be called from then on, and OpenGL.
llvm::Expected<OpenGlFunctions> loadWindowLibraries();
// May be asked by any thread.
bool areWindowLibrariesLoaded();

} // namespace tilescope
