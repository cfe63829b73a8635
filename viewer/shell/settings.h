// What the window remembers from one start to the next.
#pragma once

#include "viewer/shell/window_layout.h"

#include "llvm/Support/Error.h"

namespace tilescope {

struct Settings {
  WindowLayout layout;
  std::string theme = "dark"; // or "light"
  double textPixels = 15;     // before the scale of the screen
  int64_t width = 1600;       // of the window, in screen coordinates
  int64_t height = 1000;
  std::vector<std::string> recent;     // as Workspace::open takes them, the latest first
  std::map<std::string, bool> toggles; // of panels: see Frame::toggles

  void remember(const std::string &line); // once a kernel, with what it was compiled with last
};

llvm::json::Value toJSON(const Settings &settings);
bool fromJSON(const llvm::json::Value &value, Settings &settings, llvm::json::Path path);

// $XDG_CONFIG_HOME/tilescope/view.json, or below ~/.config; "" without a home.
std::string settingsPath();

// What the file says, within bounds; defaults where it says nothing or nonsense.
Settings readSettings(const std::string &path);
llvm::Error writeSettings(const Settings &settings, const std::string &path);

} // namespace tilescope
