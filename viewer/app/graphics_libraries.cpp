#include "viewer/app/graphics_libraries.h"

#include "core/support/shared_library.h"

#include <GLFW/glfw3.h>

#include <atomic>

namespace tilescope {

namespace {

// Of Debian; the last ones are looked for by GLFW, which does without them.
constexpr const char *WindowPackages =
    "libgl1 libgl1-mesa-dri libx11-6 libxcursor1 libxi6 libxinerama1 libxrandr2";

struct GlfwFunctions {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration.
#define GLFW_FUNCTION(result, name, parameters, arguments) decltype(::name) *name = nullptr;
#include "viewer/app/glfw_functions.def"
};

// Written once, before the flag is set.
GlfwFunctions glfw;
std::atomic<bool> isGlfwLoaded = false;

llvm::Expected<SharedLibrary> openLibrary(llvm::StringRef what, const std::string &file,
                                          llvm::StringRef packages) {
  llvm::Expected<SharedLibrary> library = SharedLibrary::open(what, {file});
  if (library)
    return library;
  return llvm::createStringError(llvm::toString(library.takeError()) + "; on Debian: apt install " +
                                 packages.str());
}

llvm::Error loadGlfw() {
  if (isGlfwLoaded)
    return llvm::Error::success();
  llvm::Expected<SharedLibrary> library = openLibrary("GLFW", "libglfw.so.3", WindowPackages);
  if (!library)
    return library.takeError();
#define GLFW_FUNCTION(result, name, parameters, arguments)                                         \
  if (llvm::Error error = library->find(#name, glfw.name))                                         \
    return error;
#include "viewer/app/glfw_functions.def"
  isGlfwLoaded = true;
  return llvm::Error::success();
}

llvm::Expected<OpenGlFunctions> loadOpenGlOf(llvm::StringRef packages) {
  llvm::Expected<SharedLibrary> library = openLibrary("OpenGL", "libGL.so.1", packages);
  if (!library)
    return library.takeError();
  OpenGlFunctions openGl;
  llvm::Error error = llvm::Error::success();
  auto find = [&](llvm::StringRef symbol, auto *&function) {
    if (!error)
      error = library->find(symbol, function);
  };
  find("glViewport", openGl.viewport);
  find("glClearColor", openGl.clearColor);
  find("glClear", openGl.clear);
  find("glPixelStorei", openGl.pixelStorei);
  find("glReadPixels", openGl.readPixels);
  find("glFinish", openGl.finish);
  if (error)
    return error;
  return openGl;
}

} // namespace

llvm::Expected<EglFunctions> loadEgl() {
  llvm::Expected<SharedLibrary> library = openLibrary("EGL", "libEGL.so.1", PicturePackages);
  if (!library)
    return library.takeError();
  EglFunctions egl;
  llvm::Error error = llvm::Error::success();
  auto find = [&](llvm::StringRef symbol, auto *&function) {
    if (!error)
      error = library->find(symbol, function);
  };
  find("eglGetPlatformDisplay", egl.getPlatformDisplay);
  find("eglInitialize", egl.initialize);
  find("eglBindAPI", egl.bindApi);
  find("eglChooseConfig", egl.chooseConfig);
  find("eglCreatePbufferSurface", egl.createPbufferSurface);
  find("eglCreateContext", egl.createContext);
  find("eglMakeCurrent", egl.makeCurrent);
  find("eglDestroyContext", egl.destroyContext);
  find("eglDestroySurface", egl.destroySurface);
  find("eglTerminate", egl.terminate);
  find("eglGetError", egl.getError);
  if (error)
    return error;
  return egl;
}

llvm::Expected<OpenGlFunctions> loadOpenGl() { return loadOpenGlOf(PicturePackages); }

llvm::Expected<OpenGlFunctions> loadWindowLibraries() {
  if (llvm::Error error = loadGlfw())
    return error;
  return loadOpenGlOf(WindowPackages);
}

bool areWindowLibrariesLoaded() { return isGlfwLoaded; }

} // namespace tilescope

#define GLFW_FUNCTION(result, name, parameters, arguments)                                         \
  result name parameters { return tilescope::glfw.name arguments; }
#include "viewer/app/glfw_functions.def"
