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
#define OPENGL_FUNCTION(symbol, member)                                                            \
  if (llvm::Error error = library->find(#symbol, openGl.member))                                   \
    return error;
#include "viewer/app/graphics_functions.def"
  return openGl;
}

} // namespace

llvm::Expected<EglFunctions> loadEgl() {
  llvm::Expected<SharedLibrary> library = openLibrary("EGL", "libEGL.so.1", PicturePackages);
  if (!library)
    return library.takeError();
  EglFunctions egl;
#define EGL_FUNCTION(symbol, member)                                                               \
  if (llvm::Error error = library->find(#symbol, egl.member))                                      \
    return error;
#include "viewer/app/graphics_functions.def"
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
