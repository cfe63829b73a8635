#include "viewer/app/offscreen.h"

#include <EGL/eglext.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

#include <algorithm>
#include <cstring>

namespace tilescope {

namespace {

class OffscreenContext {
public:
  OffscreenContext() = default;
  OffscreenContext(const OffscreenContext &) = delete;
  OffscreenContext &operator=(const OffscreenContext &) = delete;
  ~OffscreenContext() {
    if (display_ == EGL_NO_DISPLAY)
      return;
    egl_.makeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_ != EGL_NO_CONTEXT)
      egl_.destroyContext(display_, context_);
    if (surface_ != EGL_NO_SURFACE)
      egl_.destroySurface(display_, surface_);
    egl_.terminate(display_);
  }

  llvm::Error open(int width, int height) {
    if (llvm::Error error = loadEgl().moveInto(egl_))
      return error;
    display_ = egl_.getPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display_ == EGL_NO_DISPLAY || !egl_.initialize(display_, nullptr, nullptr) ||
        !egl_.bindApi(EGL_OPENGL_API))
      return fail("start EGL");
    const EGLint configAttributes[] = {EGL_SURFACE_TYPE,
                                       EGL_PBUFFER_BIT,
                                       EGL_RENDERABLE_TYPE,
                                       EGL_OPENGL_BIT,
                                       EGL_RED_SIZE,
                                       8,
                                       EGL_GREEN_SIZE,
                                       8,
                                       EGL_BLUE_SIZE,
                                       8,
                                       EGL_ALPHA_SIZE,
                                       8,
                                       EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!egl_.chooseConfig(display_, configAttributes, &config, 1, &count) || count == 0)
      return fail("find a pixel format");
    const EGLint surfaceAttributes[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
    surface_ = egl_.createPbufferSurface(display_, config, surfaceAttributes);
    const EGLint contextAttributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                                        EGL_NONE};
    context_ = egl_.createContext(display_, config, EGL_NO_CONTEXT, contextAttributes);
    if (surface_ == EGL_NO_SURFACE || context_ == EGL_NO_CONTEXT ||
        !egl_.makeCurrent(display_, surface_, surface_, context_))
      return fail("make an OpenGL 3.3 context");
    return llvm::Error::success();
  }

private:
  llvm::Error fail(const char *what) const {
    return llvm::createStringError(std::string("cannot ") + what + " without a display (packages " +
                                   PicturePackages + "): EGL error " +
                                   std::to_string(egl_.getError()));
  }

  EglFunctions egl_;
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLSurface surface_ = EGL_NO_SURFACE;
  EGLContext context_ = EGL_NO_CONTEXT;
};

class SoftwareOffscreen : public Offscreen {
public:
  SoftwareOffscreen(int width, int height) : width_(width), height_(height) {}
  ~SoftwareOffscreen() override {
    if (isLoaded_)
      ImGui_ImplOpenGL3_Shutdown();
  }

  llvm::Error open() {
    if (llvm::Error error = context_.open(width_, height_))
      return error;
    if (llvm::Error error = loadOpenGl().moveInto(openGl_))
      return error;
    isLoaded_ = ImGui_ImplOpenGL3_Init("#version 330");
    if (!isLoaded_)
      return llvm::createStringError("cannot load the functions of OpenGL 3.3");
    ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(width_), static_cast<float>(height_));
    ImGui::GetIO().DeltaTime = 1.0F / 60;
    return llvm::Error::success();
  }

  void frame(llvm::function_ref<void()> draw) override {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    draw();
    ImGui::Render();
    drawRendered(openGl_, width_, height_);
    openGl_.finish();
  }

  Pixels pixels() override { return readPixels(openGl_, width_, height_); }

private:
  int width_;
  int height_;
  bool isLoaded_ = false;
  OffscreenContext context_;
  OpenGlFunctions openGl_;
};

} // namespace

llvm::Expected<std::unique_ptr<Offscreen>> Offscreen::open(int width, int height) {
  auto offscreen = std::make_unique<SoftwareOffscreen>(width, height);
  if (llvm::Error error = offscreen->open())
    return error;
  return offscreen;
}

void drawRendered(const OpenGlFunctions &openGl, int width, int height) {
  const ImVec4 &background = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
  openGl.viewport(0, 0, width, height);
  openGl.clearColor(background.x, background.y, background.z, 1);
  openGl.clear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

Pixels readPixels(const OpenGlFunctions &openGl, int width, int height) {
  Pixels pixels{width, height, {}};
  size_t row = static_cast<size_t>(width) * 4;
  pixels.rgba.resize(row * static_cast<size_t>(height));
  openGl.pixelStorei(GL_PACK_ALIGNMENT, 1);
  openGl.readPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.rgba.data());
  // OpenGL counts rows from below.
  for (size_t low = 0, high = static_cast<size_t>(height); low + 1 < high; ++low) {
    --high;
    std::swap_ranges(pixels.rgba.begin() + static_cast<ptrdiff_t>(low * row),
                     pixels.rgba.begin() + static_cast<ptrdiff_t>((low + 1) * row),
                     pixels.rgba.begin() + static_cast<ptrdiff_t>(high * row));
  }
  for (size_t alpha = 3; alpha < pixels.rgba.size(); alpha += 4)
    pixels.rgba[alpha] = 255;
  return pixels;
}

Pixels crop(const Pixels &pixels, const ImVec4 &part) {
  int left = std::clamp(static_cast<int>(part.x), 0, pixels.width);
  int right = std::clamp(static_cast<int>(part.z), left, pixels.width);
  int top = std::clamp(static_cast<int>(part.y), 0, pixels.height);
  int bottom = std::clamp(static_cast<int>(part.w), top, pixels.height);
  Pixels cropped{right - left, bottom - top, {}};
  for (int y = top; y < bottom; ++y) {
    auto begin = pixels.rgba.begin() + (static_cast<ptrdiff_t>(y) * pixels.width + left) * 4;
    cropped.rgba.insert(cropped.rgba.end(), begin,
                        begin + static_cast<ptrdiff_t>(cropped.width) * 4);
  }
  return cropped;
}

std::string toPng(const Pixels &pixels) {
  std::string png;
  auto append = [](void *context, void *data, int size) {
    static_cast<std::string *>(context)->append(static_cast<const char *>(data),
                                                static_cast<size_t>(size));
  };
  // Flat colours are smaller, and read faster, as they are. Set once: threads make pictures.
  [[maybe_unused]] static const int Filter = stbi_write_force_png_filter = 0;
  stbi_write_png_to_func(append, &png, pixels.width, pixels.height, 4, pixels.rgba.data(),
                         pixels.width * 4);
  return png;
}

} // namespace tilescope
