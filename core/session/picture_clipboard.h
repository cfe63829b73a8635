// A picture on the clipboard of the desktop, which GLFW's is not: it holds text alone. xclip or
// wl-copy puts it there, and stays to serve it until something else is copied.
#pragma once

#include "core/session/newest_request.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tilescope {

// The program in PATH that takes a PNG as its input, and its arguments: wl-copy on a desktop of
// Wayland, xclip on one of X, or of Wayland with XWayland. An error says what to install.
llvm::Expected<std::vector<std::string>> pictureCommand();

// Until the clipboard has it, or `stop` (may be null) is true: an error, as when no display
// answers.
llvm::Error copyPng(llvm::StringRef png, const std::atomic<bool> *stop);

// On a thread: a request makes the PNG there. The result is what went wrong, "": it is copied.
class PictureClipboard : public NewestRequest<std::function<std::string()>, std::string> {
public:
  explicit PictureClipboard(std::function<void()> wake);
};

} // namespace tilescope
