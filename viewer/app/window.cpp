#include "viewer/app/window.h"

#include "cli/command.h"
#include "core/session/picture_clipboard.h"
#include "viewer/app/fonts.h"
#include "viewer/app/keyboard.h"
#include "viewer/app/offscreen.h"
#include "viewer/app/state_report.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

namespace tilescope {

namespace {

// A click shows in the next frame, what it opens in the one after; tables and wrapped texts of a
// panel that appears then take some to learn their sizes.
constexpr int FramesPerEvent = 6;
// For the blinking cursor of a text field.
constexpr double TypingSeconds = 0.4;

class Window {
public:
  Window(Application &application, const WindowOptions &options)
      : application_(application), options_(options), keyboard_(application) {}
  Window(const Window &) = delete;
  Window &operator=(const Window &) = delete;
  ~Window();

  llvm::Error open();
  void run();

private:
  void drawFrame();
  void loadScaledFonts();
  void keepPicture(const WantedPicture &picture);
  void copyPicture(Pixels pixels);
  void sayWhatWasCopied();
  void waitForEvents();
  static Window &of(GLFWwindow *window) {
    return *static_cast<Window *>(glfwGetWindowUserPointer(window));
  }
  void installCallbacks();

  Application &application_;
  WindowOptions options_;
  StateReport report_;
  std::optional<PictureClipboard> clipboard_; // from the first picture on
  Keyboard keyboard_;
  OpenGlFunctions openGl_;
  GLFWwindow *window_ = nullptr;
  int framesToDraw_ = FramesPerEvent;
  std::string title_;
  std::string copiedSize_; // of the picture that goes to the clipboard
};

llvm::Error failure(const char *what) {
  const char *detail = nullptr;
  glfwGetError(&detail);
  return llvm::createStringError(std::string("cannot ") + what +
                                 (detail ? std::string(": ") + detail : "") +
                                 "; --screenshot FILE.png needs no display");
}

llvm::Error Window::open() {
  if (llvm::Error error = loadWindowLibraries().moveInto(openGl_))
    return error;
  glfwSetErrorCallback(nullptr);
  if (!glfwInit())
    return failure("reach a display");
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  Settings settings = application_.settings();
  window_ = glfwCreateWindow(static_cast<int>(settings.width), static_cast<int>(settings.height),
                             "Tilescope", nullptr, nullptr);
  if (!window_)
    return failure("open a window with OpenGL 3.3");
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  installCallbacks();
  // Calls our callbacks from its own.
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  if (!ImGui_ImplOpenGL3_Init("#version 330"))
    return llvm::createStringError("cannot load the functions of OpenGL 3.3");
  loadScaledFonts();
  return llvm::Error::success();
}

Window::~Window() {
  clipboard_.reset(); // it wakes the window
  if (window_) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    glfwDestroyWindow(window_);
  }
  if (areWindowLibrariesLoaded())
    glfwTerminate();
}

void Window::installCallbacks() {
  glfwSetWindowUserPointer(window_, this);
  auto note = [](GLFWwindow *window) { of(window).framesToDraw_ = FramesPerEvent; };
  static constexpr auto Note = +note;
  glfwSetKeyCallback(window_, [](GLFWwindow *w, int key, int, int action, int modifiers) {
    of(w).keyboard_.keyEvent(key, action, modifiers);
    Note(w);
  });
  glfwSetCharCallback(window_, [](GLFWwindow *w, unsigned character) {
    of(w).keyboard_.typed(character);
    Note(w);
  });
  glfwSetCursorPosCallback(window_, [](GLFWwindow *w, double, double) { Note(w); });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow *w, int, int, int) { Note(w); });
  glfwSetScrollCallback(window_, [](GLFWwindow *w, double, double) { Note(w); });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow *w, int) { Note(w); });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow *w, int) { Note(w); });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow *w) { Note(w); });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow *w, int, int) { Note(w); });
  glfwSetWindowContentScaleCallback(window_, [](GLFWwindow *w, float, float) {
    of(w).loadScaledFonts();
    Note(w);
  });
  glfwSetDropCallback(window_, [](GLFWwindow *w, int count, const char **paths) {
    Application &application = of(w).application_;
    if (count > 0)
      application.openFile(paths[count > 1 ? 1 : 0]); // as on the command line
    if (count > 1)
      application.openOther(paths[0]);
    Note(w);
  });
}

void Window::loadScaledFonts() {
  float x = 1;
  float y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  application_.theme.scale = std::max(x, y);
  application_.theme.apply();
  loadFonts(application_.theme, static_cast<float>(application_.textPixels));
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void Window::waitForEvents() {
  if (framesToDraw_ > 0) {
    glfwPollEvents();
    return;
  }
  bool isTyping = ImGui::GetIO().WantTextInput;
  isTyping ? glfwWaitEventsTimeout(TypingSeconds) : glfwWaitEvents();
  framesToDraw_ = std::max(framesToDraw_, 1);
}

void Window::run() {
  while (!glfwWindowShouldClose(window_)) {
    waitForEvents();
    drawFrame();
    --framesToDraw_;
    if (application_.takeNewFonts())
      loadScaledFonts();
    if (application_.takeQuit())
      glfwSetWindowShouldClose(window_, GLFW_TRUE);
  }
  int width = 0;
  int height = 0;
  glfwGetWindowSize(window_, &width, &height);
  application_.rememberSize(width, height);
}

void Window::drawFrame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  keyboard_.beforeFrame();
  sayWhatWasCopied();
  ImGui::NewFrame();
  if (application_.frame() || keyboard_.isBehind())
    framesToDraw_ = FramesPerEvent;
  ImGui::Render();
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  drawRendered(openGl_, width, height);
  if (std::optional<WantedPicture> picture = application_.takePicture())
    keepPicture(*picture);
  glfwSwapBuffers(window_);
  if (options_.printsState)
    report_.print(application_, keyboard_.isBehind() || application_.workspace.selection.awaited());
  std::string title = application_.windowTitle();
  if (title != title_)
    glfwSetWindowTitle(window_, title.c_str());
  title_ = std::move(title);
}

void Window::keepPicture(const WantedPicture &picture) {
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  Pixels pixels = crop(readPixels(openGl_, width, height), picture.part);
  if (picture.path.empty())
    return copyPicture(std::move(pixels));
  llvm::Error error = writeFile(picture.path, toPng(pixels));
  application_.say(error ? llvm::toString(std::move(error)) : "wrote " + picture.path);
  framesToDraw_ = FramesPerEvent;
}

void Window::copyPicture(Pixels pixels) {
  copiedSize_ = llvm::formatv("{0} x {1} pixels", pixels.width, pixels.height).str();
  if (!clipboard_)
    clipboard_.emplace(wakeWindow);
  clipboard_->ask([pixels = std::move(pixels)] { return toPng(pixels); });
}

void Window::sayWhatWasCopied() {
  if (!clipboard_)
    return;
  if (std::optional<std::string> problem = clipboard_->take())
    application_.say(problem->empty() ? "copied a picture, " + copiedSize_
                                      : *problem + "; Alt+S saves it as a file");
}

} // namespace

llvm::Error runWindow(Application &application, const WindowOptions &options) {
  Window window(application, options);
  if (llvm::Error error = window.open())
    return error;
  window.run();
  return llvm::Error::success();
}

void wakeWindow() {
  if (areWindowLibrariesLoaded())
    glfwPostEmptyEvent();
}

} // namespace tilescope
