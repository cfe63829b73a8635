// A window on the screen, and its loop. It draws when something happens and sleeps otherwise.
#pragma once

#include "viewer/shell/application.h"

#include "llvm/Support/Error.h"

namespace tilescope {

struct WindowOptions {
  bool printsState = false; // a JSON line on standard output whenever what is shown changes
};

// Until the user closes it. Needs a Dear ImGui context. The error says why no window could be made.
llvm::Error runWindow(Application &application, const WindowOptions &options);

// Draws another frame soon; for other threads.
void wakeWindow();

} // namespace tilescope
